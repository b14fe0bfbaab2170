#!/usr/bin/env python3
"""Runs clang-tidy on every source file of the build in build-check, a process for each core.

A file that was clean before is not looked at again while it, the headers of the tree, the rules,
the compiler's command and clang-tidy itself are the same.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build-check"
CLEAN = BUILD / "tidy"


def ours(entry):
    path = pathlib.Path(entry["directory"], entry["file"]).resolve()
    return path.suffix == ".c" and path.is_relative_to(ROOT) and not path.is_relative_to(BUILD)


def shared_hash():
    """Of all that a finding in any file can depend on."""
    digest = hashlib.sha256()
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True)
    digest.update(version.stdout)
    files = [ROOT / ".clang-tidy", *sorted((ROOT / "tests").rglob(".clang-tidy"))]
    for folder in ("src", "include", "tests", "bench", "examples"):
        files += sorted((ROOT / folder).rglob("*.h")) + sorted((ROOT / folder).rglob("*.def"))
    for path in files:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def check(entry, shared):
    """Returns what clang-tidy found, or None."""
    path = pathlib.Path(entry["directory"], entry["file"]).resolve()
    digest = hashlib.sha256()
    digest.update(f"{shared} {path} {entry['command']}".encode())
    digest.update(path.read_bytes())
    clean = CLEAN / digest.hexdigest()
    if clean.exists():
        return None
    ended = subprocess.run(["clang-tidy", "-p", str(BUILD), "--quiet", str(path)],
                           capture_output=True, text=True, check=False)
    if ended.returncode == 0:
        clean.touch()
        return None
    return ended.stdout + ended.stderr


def main():
    CLEAN.mkdir(exist_ok=True)
    entries = json.loads((BUILD / "compile_commands.json").read_text())
    # A file that several targets compile is looked at once.
    files = {entry["file"]: entry for entry in entries if ours(entry)}
    shared = shared_hash()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda entry: check(entry, shared), files.values()))
    found = [text for text in results if text]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
