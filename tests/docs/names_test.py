#!/usr/bin/env python3
"""Every function that docs/life-of-a-request.md and ARCHITECTURE.md name is in the code."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ["docs/life-of-a-request.md", "docs/adding-an-operation.md", "ARCHITECTURE.md"]


def named_in(text):
    """Words in backticks that look like functions: lower case with an underscore, or od_..."""
    return set(re.findall(r"`([a-z]\w*_\w+)`", text)) | set(re.findall(r"`(od_\w+)`", text))


def main():
    code = "\n".join(
        path.read_text()
        for folder in ("src", "include", "tests")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".c", ".h", ".def")
    )
    words = set(re.findall(r"\w+", code))
    missing = [(doc, name) for doc in DOCS for name in sorted(named_in((ROOT / doc).read_text()))
               if name not in words]
    for doc, name in missing:
        print(f"{doc}: {name} is not in the code")
    return 1 if missing else 0


sys.exit(main())
