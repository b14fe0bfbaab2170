#!/usr/bin/env python3
"""Runs every check of the source. `make check` installs and builds what it needs first.

Usage: tools/check.py [CHECK...]
"""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build-check"
MAX_LINES = 600
MAX_CLIENT_BYTES = 300_000
# A statement that opens a fifth level. clang-tidy would count the levels inside of macros too.
TOO_DEEP = re.compile(r"^ {20,}(if|for|while|switch|do)\b")

# clang-format's output differs between versions: this one's is the style. Others are not asked.
FORMAT_VERSION = 14

STRICT = ["-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion",
          "-Wundef", "-Werror", "-pedantic-errors"]
PUBLIC_COMPILERS = [
    ["gcc", "-x", "c", "-std=c11", "-Wstrict-prototypes", "-Wmissing-prototypes", *STRICT],
    ["clang", "-x", "c", "-std=c11", "-Wstrict-prototypes", "-Wmissing-prototypes", *STRICT],
    ["g++", "-x", "c++", "-std=c++11", *STRICT],
    ["clang++", "-x", "c++", "-std=c++11", *STRICT],
]
PRIVATE_COMPILER = ["gcc", "-x", "c", "-std=gnu2x", "-D_GNU_SOURCE", "-fsyntax-only", "-Wall",
                    "-Wextra", "-Werror"]


def files(pattern, *folders):
    return [path for folder in folders for path in sorted((ROOT / folder).rglob(pattern))
            if "node_modules" not in path.parts]


def sources():
    return files("*.[ch]", "src", "include", "tests", "bench", "examples")


def run(command, **options):
    """Returns what the command said if it failed, else nothing."""
    ended = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, cwd=ROOT, check=False, **options)
    return "" if ended.returncode == 0 else ended.stdout or f"{command[0]} failed\n"


def check_format():
    version = subprocess.run(["clang-format", "--version"], stdout=subprocess.PIPE, text=True,
                             check=True).stdout
    major = int(re.search(r"version (\d+)", version)[1])
    if major != FORMAT_VERSION:
        print(f"check format: clang-format {major} is not {FORMAT_VERSION}, nothing is looked at")
        return ""
    return run(["clang-format", "--dry-run", "-Werror", *sources()])


def check_tidy():
    return run([ROOT / "tools" / "check_tidy.py"])


def check_layers():
    return run([ROOT / "tools" / "check_layers.py"])


def compile_alone(compiler, header):
    return run([*compiler, "-I", "src", "-I", "include", "-"], input=f'#include "{header}"\n')


def check_headers():
    found = ""
    for path in files("*.h", "include"):
        for compiler in PUBLIC_COMPILERS:
            found += compile_alone(compiler, path.relative_to(ROOT / "include"))
    for path in files("*.h", "src"):
        found += compile_alone(PRIVATE_COMPILER, path.relative_to(ROOT / "src"))
    return found


def find_library(name):
    libraries = [path for path in BUILD.rglob(f"{name}.so*") if path.is_file()
                 and not path.is_symlink() and path.suffix != ".symbols"]
    if len(libraries) != 1:
        sys.exit(f"expected one {name}.so in {BUILD.name}, found {len(libraries)}")
    return libraries[0]


def exports_of(library, listed):
    symbols = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", library],
                             stdout=subprocess.PIPE, text=True, check=True).stdout
    have = sorted(line.split()[0] for line in symbols.splitlines())
    want = (ROOT / "tests" / listed).read_text().split()
    faults = [f"exported, but not in tests/{listed}: {name}" for name in have if name not in want]
    faults += [f"in tests/{listed}, but not exported: {name}" for name in want
               if name not in have]
    return "".join(fault + "\n" for fault in faults)


def check_exports():
    """The shared libraries show exactly what the lists in tests/ have."""
    return (exports_of(find_library("libordna"), "exports.txt")
            + exports_of(find_library("libordna-client"), "exports-client.txt"))


def check_client_size():
    """The client's library is small enough for any program."""
    library = find_library("libordna-client")
    stripped = BUILD / "libordna-client.stripped"
    found = run(["strip", "-o", stripped, library])
    if found:
        return found
    size = stripped.stat().st_size
    return "" if size < MAX_CLIENT_BYTES else f"{library.name}: {size} bytes when stripped\n"


def check_size():
    found = ""
    for path in sources() + files("*.py", "tools", "tests", "bench"):
        lines = len(path.read_text().splitlines())
        if lines > MAX_LINES:
            found += f"{path.relative_to(ROOT)}: {lines} lines; {MAX_LINES} is the limit\n"
    return found


def check_nesting():
    return "".join(f"{path.relative_to(ROOT)}:{number}: more than 4 levels deep\n"
                   for path in sources()
                   for number, line in enumerate(path.read_text().splitlines(), 1)
                   if TOO_DEEP.match(line))


def check_scenarios():
    """Meson is told of every scenario file."""
    told = (ROOT / "tests" / "conformance" / "meson.build").read_text()
    return "".join(f"{path.relative_to(ROOT)} is not in its meson.build\n"
                   for path in files("*.ddbt", "tests") if f"'{path.stem}'" not in told)


def check_scripts():
    """The shell scripts parse, and are clean where shellcheck is installed."""
    scripts = files("*.sh", "tools", "tests", "examples") + [ROOT / ".ci" / "run"]
    found = "".join(run(["bash", "-n", path]) for path in scripts)
    if shutil.which("shellcheck"):
        found += run(["shellcheck", *scripts])
    return found


CHECKS = {
    "format": check_format,
    "layers": check_layers,
    "size": check_size,
    "nesting": check_nesting,
    "scenarios": check_scenarios,
    "scripts": check_scripts,
    "headers": check_headers,
    "exports": check_exports,
    "client-size": check_client_size,
    "tidy": check_tidy,
}


def main(names):
    unknown = [name for name in names if name not in CHECKS]
    if unknown:
        sys.exit(f"no such check: {', '.join(unknown)}; there are {', '.join(CHECKS)}")
    failed = 0
    for name in names or CHECKS:
        found = CHECKS[name]()
        print(f"check {name}: {'FAILED' if found else 'ok'}", flush=True)
        if found:
            print(found)
            failed += 1
    return 1 if failed else 0


sys.exit(main(sys.argv[1:]))
