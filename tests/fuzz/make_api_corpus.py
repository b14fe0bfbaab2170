"""Makes seeds for api_fuzz from the requests of scenarios. Usage: make_api_corpus.py OUT SCENARIOS...

A seed is a line with the operation's name, and a body. Tables, keys and indexes get the names that
the fuzz target knows. A few requests are kept of each operation, those that differ most.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAX_BYTES = 1500
PER_OPERATION = 4


def operations():
    text = (ROOT / "src/api/ops.def").read_text()
    return re.findall(r"^OD_(?:READ|WRITE)\((\w+)", text, re.MULTILINE)


def renames(table_lines):
    """What a scenario calls things, and what the fuzz target calls them."""
    name = table_lines.split()[1]
    head = re.search(r"HASH (\S+) \w(?:\s+RANGE (\S+) (\w))?", table_lines)
    if not head:
        return {}
    found = {name: {None: "One", "N": "Number"}.get(head[3], "Text"), head[1]: "pk"}
    if head[2]:
        found[head[2]] = "sk"
    for kind, index, attribute in re.findall(r"(gsi|lsi) (\S+)\s+HASH (\S+)", table_lines):
        found.setdefault(index, "l_n" if kind == "lsi" else "g_s")
        found.setdefault(attribute, "s")
    return found


def requests(path):
    """Pairs of operation and body."""
    names, body, operation, table = {}, [], None, ""
    for line in [*path.read_text().splitlines(), "# end"]:
        if operation and re.match(r"[#<>@/]|table |items ", line):
            text = "\n".join(body)
            for old, new in names.items():
                text = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", new, text)
            yield operation, text
            operation = None
        if line.startswith("# "):
            names = {}
        elif line.startswith("table "):
            table = line
            names.update(renames(table))
        elif table and line.startswith("  ") and operation is None:
            table += " " + line
            names.update(renames(table))
        elif line.startswith("> "):
            operation, body, table = line[2:].strip(), [], ""
        elif operation:
            body.append(line)


def choose(bodies):
    """The bodies that together hold the most different words."""
    chosen, known = [], set()
    while bodies and len(chosen) < PER_OPERATION:
        best = max(bodies, key=lambda body: len(words(body) - known))
        chosen.append(best)
        known |= words(best)
        bodies = [body for body in bodies if words(body) - known]
    return chosen


def words(body):
    return set(re.findall(r"[A-Za-z_]{2,}|[\[(<>=?+-]", body))


def main(out, paths):
    bodies = {operation: [] for operation in operations()}
    for path in map(pathlib.Path, paths):
        for operation, text in requests(path):
            try:
                body = json.dumps(json.loads(text))
            except ValueError:  # it holds what the scenarios' runner fills in
                continue
            if operation in bodies and len(body) <= MAX_BYTES:
                bodies[operation].append(body)
    for operation, found in bodies.items():
        for number, body in enumerate(choose(sorted(set(found))), 1):
            (pathlib.Path(out) / f"{operation}-{number}").write_text(f"{operation}\n{body}\n")


main(sys.argv[1], sys.argv[2:])
