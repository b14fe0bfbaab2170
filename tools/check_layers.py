#!/usr/bin/env python3
"""Checks every #include under src/ against the layers table in ARCHITECTURE.md."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')


def read_layers():
    block = re.search(r"```layers\n(.*?)```", (ROOT / "ARCHITECTURE.md").read_text(), re.S)
    if not block:
        sys.exit("ARCHITECTURE.md has no ```layers block")
    rows = (line.split(":") for line in block.group(1).splitlines() if line.strip())
    return {name.strip(): set(uses.split()) for name, uses in rows}


def fault(layers, folder, target):
    """What is wrong with a file of `folder` including `target`, or None."""
    used, _, name = target.partition("/")
    if ".." in target or not name:
        return f'include "{target}" by its folder, as in "base/str.h"'
    if used in (folder, "ordna"):  # include/ordna is there for everyone
        return None
    if used not in layers[folder]:
        return f"{folder} may not use {used}"
    if pathlib.PurePath(name).stem.endswith("_internal"):
        return f"{target} is private to {used}"
    return None


def faults(layers):
    for path in sorted((ROOT / "src").rglob("*.[ch]")):
        folder = path.relative_to(ROOT / "src").parts[0]
        where = path.relative_to(ROOT)
        if folder not in layers:
            yield f"{where}: the layers table has no row for {folder}"
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            found = match and fault(layers, folder, match[1])
            if found:
                yield f"{where}:{number}: {found}"


def main():
    found = list(faults(read_layers()))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
