#!/usr/bin/env python3
"""Makes the C tables of shape.h from shapes.txt. Usage: gen_shapes.py SHAPES.TXT OUT.C"""

import itertools
import re
import shlex
import sys

SCALARS = {"boolean": "BOOLEAN", "blob": "BLOB", "integer": "INTEGER", "long": "LONG"}
JSON_TYPES = {"string": "STR", "enum": "STR", "blob": "STR", "integer": "NUM", "long": "NUM",
              "boolean": "BOOL", "list": "ARR", "map": "OBJ", "structure": "OBJ"}
MEMBER_FLAGS = {"required", "noecho", "wirecase"}
RANGE = re.compile(r"(-?\d+)?\.\.(-?\d+)?")


class Fault(Exception):
    pass


class Member:
    def __init__(self, words):
        self.name, self.shape, *rest = words
        self.flags, self.empty = set(), None
        while rest:
            word = rest.pop(0)
            if word in MEMBER_FLAGS:
                self.flags.add(word)
            elif word == "empty":
                self.empty = rest.pop(0)
            else:
                raise Fault(f"unknown word '{word}'")


class Shape:
    def __init__(self, kind, name):
        self.kind, self.name = kind, name
        self.min = self.max = None
        self.arn_max = 0
        self.in_bytes = False
        self.pattern = self.of = self.keys = None
        self.values, self.members, self.alone = [], [], []

    def position(self, name):
        return [m.name for m in self.members].index(name)

    def is_constrained_itself(self):
        bounds = (self.min, self.max, self.pattern) != (None, None, None)
        return bounds or bool(self.values) or any("required" in m.flags for m in self.members)

    def uses(self):
        return [n for n in [self.of, self.keys] if n] + [m.shape for m in self.members]


def read_bounds(shape, word):
    match = RANGE.fullmatch(word)
    if not match:
        return False
    shape.min, shape.max = (None if g is None else int(g) for g in match.groups())
    return True


def read_shape(kind, name, rest):
    shape = Shape(kind, name)
    if kind == "enum":
        shape.values, rest = rest, []
    while rest:
        word = rest.pop(0)
        if read_bounds(shape, word):
            continue
        if kind == "string" and re.fullmatch(r"\[[^\]]+\]\+", word):
            shape.pattern = word
        elif kind == "string" and word == "arn":
            shape.arn_max = int(rest.pop(0))
        elif kind == "string" and word == "bytes":
            shape.in_bytes = True
        elif kind in ("list", "map") and word == "of":
            shape.of = rest.pop(0)
        elif kind == "map" and word == "keys":
            shape.keys = rest.pop(0)
        elif kind == "structure" and word == "alone":
            shape.alone, rest = rest, []
        else:
            raise Fault(f"unknown word '{word}'")
    return shape


def read_line(shapes, line):
    # shlex would take an apostrophe outside quotes for one that opens a string.
    words = shlex.split(line, comments=False)
    if line[0].isspace():
        list(shapes.values())[-1].members.append(Member(words))
        return
    kind, name, *rest = words
    if kind not in JSON_TYPES:
        raise Fault(f"unknown kind '{kind}'")
    if name in shapes:
        raise Fault(f"'{name}' is there already")
    shapes[name] = read_shape(kind, name, rest)


def read(path):
    shapes = {}
    with open(path, encoding="ascii") as file:
        for number, line in enumerate(file, 1):
            if not line.strip() or line.startswith("#"):
                continue
            try:
                read_line(shapes, line)
            except (Fault, ValueError, IndexError) as fault:
                sys.exit(f"{path}:{number}: {fault}")
    return shapes


def check(shapes):
    for shape in shapes.values():
        for name in shape.uses():
            if name not in shapes:
                sys.exit(f"{shape.name}: there is no shape '{name}'")
        names = [m.name for m in shape.members]
        if names != sorted(names):
            sys.exit(f"{shape.name}: its members are not in the order of their names")
        for name in shape.alone:
            if name not in names:
                sys.exit(f"{shape.name}: there is no member '{name}'")
        if len(shape.members) > 32:
            sys.exit(f"{shape.name}: more members than bits of `required`")


def constrained(shapes):
    """The names of the shapes in which anything has to be satisfied but its type."""
    names = {s.name for s in shapes.values() if s.is_constrained_itself()}
    while True:
        more = {s.name for s in shapes.values() if names & set(s.uses())}
        if more <= names:
            return names
        names |= more


def slots_of(names, size, multipliers):
    """Where the hash of od_shape_find puts the names, or None when two of them meet."""
    slots = [0] * size
    for position, name in enumerate(names):
        code = name.encode()
        chars = (code[0], code[len(code) * 3 // 4], code[-1])
        slot = (len(code) + sum(c * m for c, m in zip(chars, multipliers))) & (size - 1)
        if slots[slot]:
            return None
        slots[slot] = position + 1
    return slots


def perfect_hash(names):
    for size in (1, 2, 4, 8, 16, 32, 64, 128, 256):  # the mask is a byte
        if size < 2 * len(names):
            continue
        for multipliers in itertools.product(range(32), repeat=3):
            slots = slots_of(names, size, multipliers)
            if slots:
                return slots, multipliers
    sys.exit(f"no perfect hash for {names}")


def text(s):
    return 'OD_STR_INIT("%s")' % s.replace('"', '\\"')


def bits(pattern):
    chars = [c for c in map(chr, range(128)) if re.fullmatch(pattern, c)]
    words = [sum(1 << (ord(c) % 64) for c in chars if ord(c) // 64 == w) for w in range(2)]
    return ", ".join(f"{w:#x}u" for w in words)


def write_arrays(out, shape):
    if shape.values:
        rows = ", ".join(text(v) for v in shape.values)
        out.append(f"static const od_str values_{shape.name}[] = {{{rows}}};")
    if shape.pattern:
        out.append(f"static const struct od_shape_pattern pattern_{shape.name} = "
                   f"{{{text(shape.pattern)}, {{{bits(shape.pattern)}}}}};")
    if shape.alone:
        rows = ", ".join(str(shape.position(n)) for n in shape.alone)
        out.append(f"static const uint8_t alone_{shape.name}[] = {{{rows}}};")
    if not shape.members:
        return
    out.append(f"static const struct od_shape_member members_{shape.name}[] = {{")
    for m in shape.members:
        flags = "".join(f", .{f} = true" for f in sorted(m.flags))
        empty = f", .empty_text = {text(m.empty)}" if m.empty else ""
        out.append(f"    {{.name = {text(m.name)}, .shape = &shapes[SHAPE_{m.shape}]"
                   f"{flags}{empty}}},")
    out.append("};")


def fields_of(shape, is_constrained):
    kind = SCALARS.get(shape.kind, shape.kind.upper())
    yield f".name = {text(shape.name)}, .kind = OD_SHAPE_{kind}"
    yield f".json = YYJSON_TYPE_{JSON_TYPES[shape.kind]}"
    yield f".constrained = {str(is_constrained).lower()}"
    yield f".min = {'INT64_MIN' if shape.min is None else shape.min}"
    yield f".max = {'INT64_MAX' if shape.max is None else shape.max}"
    if shape.arn_max:
        yield f".arn_max = {shape.arn_max}"
    if shape.in_bytes:
        yield ".in_bytes = true"
    if shape.pattern:
        yield f".pattern = &pattern_{shape.name}"
    if shape.values:
        yield f".values = values_{shape.name}, .value_count = {len(shape.values)}"
        yield f".values_text = {text('[' + ', '.join(shape.values) + ']')}"
    for key, name in (("of", shape.of), ("keys", shape.keys)):
        if name:
            yield f".{key} = &shapes[SHAPE_{name}]"
    if shape.kind == "structure":
        yield from structure_fields(shape)


def structure_fields(shape):
    slots, multipliers = perfect_hash([m.name for m in shape.members])
    if shape.members:
        yield f".members = members_{shape.name}, .member_count = {len(shape.members)}"
    required = sum(1 << i for i, m in enumerate(shape.members) if "required" in m.flags)
    yield f".required = {required:#x}"
    rows = ", ".join(map(str, slots))
    first, later, last = multipliers
    yield (f".lookup = {{(const uint8_t[]){{{rows}}}, .mask = {len(slots) - 1}, .first = {first}, "
           f".later = {later}, .last = {last}}}")
    if shape.alone:
        yield f".alone = alone_{shape.name}, .alone_count = {len(shape.alone)}"


def write(shapes):
    with_constraints = constrained(shapes)
    out = ['#include "wire/shape/shape.h"', "", "enum {"]
    out += [f"    SHAPE_{name}," for name in shapes] + ["};"]
    out += [f"static const struct od_shape shapes[{len(shapes)}];", ""]
    for shape in shapes.values():
        write_arrays(out, shape)
    out += ["", f"static const struct od_shape shapes[{len(shapes)}] = {{"]
    for shape in shapes.values():
        fields = ", ".join(fields_of(shape, shape.name in with_constraints))
        out.append(f"    [SHAPE_{shape.name}] = {{{fields}}},")
    out += ["};", "",
            "const struct od_shape *const od_shape_attribute_value = "
            "&shapes[SHAPE_AttributeValue];", "",
            "const struct od_shape_input od_shape_inputs[] = {"]
    inputs = sorted(n for n in shapes if n.endswith("Input"))
    # The operation's name is the structure's without "Input".
    out += [f'    {{{text(n[:-len("Input")])}, &shapes[SHAPE_{n}]}},'
            for n in sorted(inputs, key=lambda n: n[:-len("Input")])]
    out += ["};", f"const size_t od_shape_input_count = {len(inputs)};"]
    return "\n".join(out) + "\n"


def main():
    shapes = read(sys.argv[1])
    check(shapes)
    with open(sys.argv[2], "w", encoding="ascii") as file:
        file.write(write(shapes))


if __name__ == "__main__":
    main()
