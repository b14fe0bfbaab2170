#!/usr/bin/env python3
"""The program of docs/mapping.md, put together from its blocks, says what the document says, and
what is named there and in examples/README.md is in the public headers.

Usage: mapping_test.py ORDNA CLIENT_LIBRARY DATABASE_LIBRARY COMPILER...
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ORDNA, *LIBRARIES = [pathlib.Path(word).resolve() for word in sys.argv[1:4]]
COMPILER = sys.argv[4:]
FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE"]


def blocks(text):
    """Indented code, without the indentation."""
    found = re.findall(r"(?:^ {4}.*\n|^\n(?= {4}))+", text, re.MULTILINE)
    return [re.sub(r"^ {4}", "", block, flags=re.MULTILINE).strip() + "\n" for block in found]


def program(parts):
    """staff.c, with the functions of the later chapters above main, which calls them."""
    text = next(part for part in parts if part.startswith("/* staff.c */"))
    functions = [part for part in parts if part.startswith("static void ")]
    names = [re.match(r"static void (\w+)\(", part)[1] for part in functions]
    text = text.replace("int main(", "".join(part + "\n" for part in functions) + "int main(")
    calls = "".join(f"    {name}(session);\n" for name in names)
    return text.replace("    put_and_get(session);\n", "    put_and_get(session);\n" + calls)


def in_process(text, parts):
    """The same with the database inside, as the document says, in memory."""
    lines = next(part for part in parts if part.startswith("ordna *db"))
    lines = lines.replace('.store = "rocksdb", .dir = "data"', '.store = "memory"')
    text = re.sub(r" *ordna_client_options options = .*\n",
                  lambda _: "(void)argc;\n(void)argv;\n" + lines, text)
    text = text.replace("ordna_client_close(client);",
                        "ordna_client_close(client);\nordna_close(db);")
    return "#include <ordna/in_process.h>\n" + text


def output(parts):
    """Blocks that are neither code nor commands: what the program prints."""
    first = next(i for i, part in enumerate(parts) if part.startswith("/* staff.c */"))
    code = re.compile(r"[;{}]\n|^cc |^ordna ", re.MULTILINE)
    return "".join(part for part in parts[first:] if not code.search(part))


def compile_and_run(folder, text):
    (folder / "staff.c").write_text(text)
    command = [*COMPILER, *FLAGS, f"-I{ROOT / 'include'}", "staff.c", "shop.c", *LIBRARIES]
    command += [f"-Wl,-rpath,{library.parent}" for library in LIBRARIES]
    subprocess.run([*command, "-o", "staff"], cwd=folder, check=True)
    return subprocess.run([folder / "staff"], cwd=folder, check=True, stdout=subprocess.PIPE,
                          text=True).stdout


def unknown_names():
    headers = "".join(path.read_text() for path in (ROOT / "include" / "ordna").glob("*.h"))
    known = set(re.findall(r"\w+", headers))
    return [f"{doc}: {name} is in no header" for doc in ("docs/mapping.md", "examples/README.md")
            for name in sorted(set(re.findall(r"`(ordna_\w+|ORDNA_\w+)`",
                                              (ROOT / doc).read_text())) - known)]


def main():
    unknown = unknown_names()
    if unknown:
        print("\n".join(unknown))
        return 1
    parts = blocks((ROOT / "docs" / "mapping.md").read_text())
    with tempfile.TemporaryDirectory(prefix="ordna-mapping-") as name:
        folder = pathlib.Path(name)
        entities = next(part for part in parts if part.startswith("# shop.entities"))
        (folder / "shop.entities").write_text(entities)
        subprocess.run([ORDNA, "gen", "shop.entities"], cwd=folder, check=True)
        printed = compile_and_run(folder, in_process(program(parts), parts))
    if printed != output(parts):
        print(f"docs/mapping.md says:\n{output(parts)}\nand the program:\n{printed}")
        return 1
    return 0


sys.exit(main())
