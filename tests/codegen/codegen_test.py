#!/usr/bin/env python3
"""What `ordna gen` makes of files of entities.

  golden/*.entities     become the .h and .c that are beside them, letter for letter
  compile/*.entities    and the golden ones become C11, C23, C++17 and C++20 without a warning
  findings/*.entities   are told what their lines "#! LINE:COLUMN: ..." say
  docs/diagnostics.md   explains each number, and each has a file in findings/ that provokes it;
                        so do the examples in the document

Usage: codegen_test.py ORDNA [--update]     (which writes what is expected anew)
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EXPECTED = "#! "
# What the examples of docs/diagnostics.md that begin with an entity stand in.
EXAMPLE_TABLE = ["table shop", "  partition PK string", "  sort SK string", ""]
WITHOUT_EXAMPLE = ["ORD001", "ORD006"]  # bytes that are no text, and too many of them

STRICT = ["-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Wshadow", "-Werror", "-I",
          ROOT / "include", "-c"]
COMPILERS = [
    ["gcc", "-x", "c", "-std=c11"],
    ["gcc", "-x", "c", "-std=gnu2x"],
    ["clang", "-x", "c", "-std=c11"],
    ["g++", "-x", "c++", "-std=c++17"],
    ["g++", "-x", "c++", "-std=gnu++20"],
    ["clang++", "-x", "c++", "-std=c++17"],
]


class Failed(Exception):
    pass


def check(truth, what):
    if not truth:
        raise Failed(what)


def check_equal(have, want, what):
    check(have == want, f"{what}\n--- have\n{have}\n--- want\n{want}")


def run(*command):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)


class Generator:
    def __init__(self, program, update):
        self.program = program
        self.update = update

    def gen(self, *words):
        return run(self.program, "gen", *words)

    def generate(self, source, folder):
        """The names of what it wrote."""
        ended = self.gen(source, "-o", folder)
        check(ended.returncode == 0, f"{source.name}: {ended.stderr.decode()}")
        return sorted(path.name for path in folder.iterdir())


def files(*folders):
    return [path for folder in folders for path in sorted((HERE / folder).glob("*.entities"))]


# --- Code ----------------------------------------------------------------------------------------

def generated_code_is_as_expected(generator, folder):
    for source in files("golden"):
        out = folder / source.stem
        for name in generator.generate(source, out):
            expected = source.parent / f"{name}.expected"
            if generator.update:
                shutil.copy(out / name, expected)
            check_equal((out / name).read_text(), expected.read_text(), name)


def generated_code_compiles_without_a_warning(generator, folder):
    for source in files("golden", "compile"):
        out = folder / source.stem
        for name in generator.generate(source, out):
            for compiler in COMPILERS:
                if name.endswith(".c") and shutil.which(compiler[0]):
                    ended = run(*compiler, *STRICT, out / name, "-o", folder / "object")
                    check(ended.returncode == 0, f"{compiler}: {ended.stderr.decode()}")


def good_files_are_told_nothing(generator, _folder):
    for source in files("golden", "compile"):
        ended = generator.gen("--check", source)
        check_equal((ended.returncode, ended.stdout, ended.stderr), (0, b"", b""), source.name)


def generated_code_is_the_same_from_everywhere(generator, folder):
    source = files("golden")[0]
    copy = folder / source.name
    shutil.copy(source, copy)
    for name in generator.generate(source, folder / "here"):
        generator.generate(copy, folder / "there")
        check_equal((folder / "here" / name).read_text(), (folder / "there" / name).read_text(),
                    name)


# --- Findings ------------------------------------------------------------------------------------

def split_expected(source):
    """The file without the lines that say what is expected, and these."""
    lines = source.read_bytes().split(b"\n")
    mark = EXPECTED.encode()
    body = [line for line in lines if not line.startswith(mark)]
    expected = [line[len(mark):].decode() for line in lines if line.startswith(mark)]
    return b"\n".join(body), expected


def findings_of(generator, source, folder):
    ended = generator.gen(source, "-o", folder)
    prefix = f"{source}:"
    lines = ended.stderr.decode().splitlines()
    check(all(line.startswith(prefix) for line in lines), ended.stderr.decode())
    return ended.returncode, [line[len(prefix):] for line in lines]


def update_findings(source, found):
    body, _ = split_expected(source)
    tail = "".join(f"{EXPECTED}{line}\n" for line in found)
    source.write_bytes(body.rstrip(b"\n") + b"\n\n" + tail.encode())


def findings_are_as_expected(generator, folder):
    for source in files("findings"):
        out = folder / source.stem
        status, found = findings_of(generator, source, out)
        if generator.update:
            update_findings(source, found)
        has_error = any(" error " in line for line in found)
        check_equal("\n".join(found), "\n".join(split_expected(source)[1]), source.name)
        check_equal(status, 1 if has_error else 0, source.name)
        check_equal(out.exists(), not has_error, f"{source.name}: written")


def each_file_provokes_its_number(_generator, _folder):
    for source in files("findings"):
        number = f" {source.stem.upper()}:"
        check(any(number in line for line in split_expected(source)[1]), source.name)


def diagnostics():
    """Number, severity and message of each, as the source has them."""
    text = (ROOT / "src" / "codegen" / "diagnostics.def").read_text()
    rows = re.findall(r'^OD_DIAGNOSTIC\((\d+), (\w+), \w+,((?:\s+"(?:[^"\\]|\\.)*")+)\)$', text,
                      re.M)
    check_equal(len(rows), len(re.findall(r"^OD_DIAGNOSTIC\(", text, re.M)), "rows read")
    return [(f"ORD{int(number):03}", severity.lower(),
             "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', message)))
            for number, severity, message in rows]


def each_number_is_provoked_by_a_file(_generator, _folder):
    have = [source.stem.upper() for source in files("findings")]
    check_equal(have, sorted(number for number, _, _ in diagnostics()), "numbers")


def explanations():
    """Of docs/diagnostics.md: number, severity, message, and the text below them."""
    text = (ROOT / "docs" / "diagnostics.md").read_text()
    return re.findall(r"^### (ORD\d{3}), (\w+)\n\n> (.*)\n\n((?:(?!^#).*\n)*)", text, re.M)


def each_number_is_explained(_generator, _folder):
    """docs/diagnostics.md has "## ORD001, error", the message, the cause and the cure."""
    sections = explanations()
    have = [(number, severity, re.sub(r"\*(\w+)\*", "%", message))
            for number, severity, message, _ in sections]
    want = [(number, severity, re.sub(r"%\d", "%", message))
            for number, severity, message in diagnostics()]
    check_equal("\n".join(map(str, have)), "\n".join(map(str, want)), "docs/diagnostics.md")
    for number, _, _, body in sections:
        check("Cure:" in body, f"{number} has no cure")


def example_of(explanation):
    """The example's file, and the places above its carets; None without an example."""
    block = re.search(r"(?:^ {4}.*\n|^\n(?= {4}))+", explanation, re.M)
    if block is None:
        return None
    text = re.sub(r"^ {4}", "", block[0], flags=re.M).strip("\n")
    lines = EXAMPLE_TABLE if text.startswith("entity") else []
    places = []
    for line in text.splitlines():
        if line.strip() == "^":
            places.append(f"{len(lines)}:{len(line)}")
        else:
            lines = [*lines, line]
    return "\n".join(lines) + "\n", places


def examples_are_told_their_number_alone_and_where_the_caret_is(generator, folder):
    source = folder / "example.entities"
    without = []
    for number, severity, _, body in explanations():
        example = example_of(body)
        if example is None:
            without.append(number)
            continue
        text, places = example
        check_equal(len(places), 1, f"{number}: carets")
        source.write_text(text)
        _, found = findings_of(generator, source, folder / "out")
        have = [" ".join(line.split()[:3]) for line in found]
        check_equal(have, [f"{places[0]}: {severity} {number}:"], number)
    check_equal(without, WITHOUT_EXAMPLE, "numbers without an example")


def the_example_of_the_documentation_becomes_what_it_says(generator, folder):
    """docs/entities.md. Its entity has a version, and so no batch_put."""
    text = (ROOT / "docs" / "entities.md").read_text()
    example = re.search(r"(?:^ {4}.*\n|^\n)+", text[text.index("## An example"):], re.M)[0]
    source = folder / "shop.entities"
    source.write_text(re.sub(r"^ {4}", "", example, flags=re.M))
    check_equal(findings_of(generator, source, folder / "out"), (0, []), "findings")
    header = set(re.findall(r"\w+", (folder / "out" / "shop.h").read_text()))
    names = set(re.findall(r"`(shop_\w+)", text)) - {"shop_employee_batch_put"}
    check(len(names) > 10 and names <= header, f"not generated: {names - header}")


# --- The command ---------------------------------------------------------------------------------

def wrong_use_is_told(generator, _folder):
    rows = [[], ["a", "b"], ["--nonsense", "a"], ["a", "-o"]]
    for row in rows:
        ended = generator.gen(*row)
        check_equal((ended.returncode, ended.stdout), (2, b""), row)
        check(b"ordna gen --help" in ended.stderr, row)
    check_equal(generator.gen("--help").returncode, 0, "--help")


def files_that_cannot_be_read_or_written_are_told(generator, folder):
    source = files("golden")[0]
    (folder / "file").write_text("")
    rows = [[folder / "missing"], [folder], [source, "-o", folder / "file"],
            [source, "-o", folder / "missing" / "deep"]]
    for row in rows:
        ended = generator.gen(*row)
        check_equal(ended.returncode, 1, row)
        check(ended.stderr.startswith(b"ordna: cannot "), ended.stderr)


def nothing_is_written_when_one_file_cannot_be(generator, folder):
    source = folder / "two.entities"
    source.write_text("".join(f"table {name}\n  partition PK string\nentity User\n"
                              "  partition {Id}\n  Id string\n" for name in ("one", "two")))
    out = folder / "out"
    out.mkdir()
    (out / "two.c.new").mkdir()
    check_equal(generator.gen(source, "-o", out).returncode, 1, "status")
    check_equal([path.name for path in out.iterdir()], ["two.c.new"], "what is there")


def a_check_writes_nothing(generator, folder):
    out = folder / "out"
    check_equal(generator.gen("--check", files("golden")[0], "-o", out).returncode, 0, "status")
    check(not out.exists(), "it is there")


def a_file_that_is_too_large_is_an_error(generator, folder):
    source = folder / "large.entities"
    source.write_text("#\n" * (1024 * 512 + 1))
    ended = generator.gen("--check", source)
    check_equal(ended.returncode, 1, "status")
    check(b"ORD006: more than 1048576 bytes in a file" in ended.stderr, ended.stderr)


def a_thousand_entities_that_are_hard_to_tell_apart_are_read(generator, folder):
    """Their keys differ in the last characters alone, so that each is compared with the others."""
    source = folder / "hard.entities"
    fields = "".join(f"{name} uuid\n" for name in "ABCDEFG")
    template = "{S}##" + "".join("{%s}" % name for name in "ABCDEFG")
    with source.open("w") as out:
        for table in range(12):
            out.write(f"table t{table:02}\npartition PK string\nsort SK string\n")
            out.write("allow ORD070\n")
            for entity in range(128):
                out.write(f"entity E{entity}\npartition {template}\n"
                          f"sort {template}{entity:03}\nS string\n{fields}")
    ended = generator.gen("--check", source)
    check_equal((ended.returncode, ended.stderr), (0, b""), "findings")


def many_findings_are_bounded(generator, folder):
    source = folder / "many.entities"
    source.write_text("table shop\n" + "nonsense\n" * 100000)
    ended = generator.gen("--check", source)
    check_equal(ended.returncode, 1, "status")
    check_equal(len(ended.stderr.splitlines()), 1001, "lines")


TESTS = [
    generated_code_is_as_expected,
    generated_code_compiles_without_a_warning,
    good_files_are_told_nothing,
    generated_code_is_the_same_from_everywhere,
    findings_are_as_expected,
    each_file_provokes_its_number,
    each_number_is_provoked_by_a_file,
    each_number_is_explained,
    examples_are_told_their_number_alone_and_where_the_caret_is,
    the_example_of_the_documentation_becomes_what_it_says,
    wrong_use_is_told,
    files_that_cannot_be_read_or_written_are_told,
    nothing_is_written_when_one_file_cannot_be,
    a_check_writes_nothing,
    a_file_that_is_too_large_is_an_error,
    a_thousand_entities_that_are_hard_to_tell_apart_are_read,
    many_findings_are_bounded,
]


def main(program, *words):
    generator = Generator(pathlib.Path(program).resolve(), "--update" in words)
    failed = 0
    for test in TESTS:
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(generator, pathlib.Path(folder))
            except Failed as fault:
                failed += 1
                print(f"{test.__name__}: {fault}")
    print(f"{len(TESTS) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main(*sys.argv[1:]))
