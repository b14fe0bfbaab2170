"""Random expressions as text, with their placeholders."""

import re

from expression_check import RESERVED
from expression_run import lookup
from generate_values import TYPES
from values import order, parse_value, to_json

COMPARATORS = ("=", "<>", "<", "<=", ">", ">=")


def containers(value):
    """Steps to the lists and sets in a value."""
    kind, body = value
    if kind in ("SS", "NS", "BS") or (kind == "L" and body):
        yield []
    if kind == "M":
        for name, member in body.items():
            yield from ([name, *more] for more in containers(member))


class Text:
    """One request's expressions. `values`: a Values; `item`: what paths and operands are taken from."""

    def __init__(self, values, item=None):
        self.values, self.random, self.item = values, values.random, item
        self.names, self.holders = {}, {}

    def chance(self, share):
        return self.values.chance(share)

    def pick(self, options):
        return self.values.pick(options)

    # Leaves

    def name(self, name):
        bare = re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name) and name.upper() not in RESERVED
        if bare and self.chance(0.7):
            return name
        for holder, other in self.names.items():
            if other == name and self.chance(0.8):
                return holder
        holder = f"#{self.pick('abn_')}{len(self.names)}"
        self.names[holder] = name
        return holder

    def path_text(self, path):
        text = self.name(path[0])
        for step in path[1:]:
            text += f"[{step}]" if isinstance(step, int) else f".{self.name(step)}"
        return text

    def path(self):
        return self.path_text(self.values.path(self.item))

    def new_path(self, seen):
        """A path that mostly overlaps none of those seen."""
        path = self.values.path(self.item)
        while path[0] in seen and self.chance(0.9):
            path = self.values.path(None)
        seen.add(path[0])
        return path

    def holder(self, json):
        for holder, other in self.holders.items():
            if other == json and self.chance(0.5):
                return holder
        holder = f":{self.pick('abv_')}{len(self.holders)}"
        self.holders[holder] = json
        return holder

    def value(self, kind=None):
        return self.holder(self.values.value(depth=2, kind=kind))

    def blank(self):
        return self.pick([" ", " ", " ", "  ", "\n", "\t"])

    def word(self, word):
        return self.pick([word, word, word.lower(), word.capitalize()])

    def join(self, *parts):
        return self.blank().join(parts)

    # Conditions

    def condition(self, depth=0):
        roll = self.random.random()
        if depth < 3 and roll < 0.35:
            word = self.word(self.pick(["AND", "OR"]))
            return self.join(self.condition(depth + 1), word, self.condition(depth + 1))
        if depth < 3 and roll < 0.45:
            return self.join(self.word("NOT"), self.condition(depth + 1))
        if depth < 3 and roll < 0.55:
            inner = self.condition(depth + 1)
            return inner if inner.startswith("(") else f"({inner})"
        return self.test()

    def test(self):
        roll = self.random.random()
        if roll < 0.4:
            return self.comparison()
        if roll < 0.5:
            return self.between()
        if roll < 0.6:
            operands = ", ".join(self.operand() for _ in range(self.random.randint(1, 4)))
            return f"{self.operand_path()} {self.word('IN')} ({operands})"
        return self.function()

    def operand_path(self):
        return f"size({self.path()})" if self.chance(0.15) else self.path()

    def operand(self):
        return self.operand_path() if self.chance(0.25) else self.value(self.likely_kind())

    def likely_kind(self):
        return self.pick(TYPES) if self.chance(0.3) else self.pick(["S", "N", "N", "B"])

    def comparison(self):
        op = self.pick(COMPARATORS)
        kind = self.likely_kind() if op in ("=", "<>") else self.pick(["S", "N", "N", "B"])
        path = self.values.path(self.item)
        left = self.path_text(path)
        if self.chance(0.15):
            left = f"size({left})"
        if self.item and self.chance(0.4):
            stored = self.stored(path) or {"S": "a"}
            right = self.holder(self.values.near(stored) if self.chance(0.3) else stored)
        else:
            right = self.operand_path() if self.chance(0.2) else self.value(kind)
        return f"{left}{self.pick(['', ' '])}{op}{self.pick(['', ' '])}{right}"

    def stored(self, path):
        found = lookup(self.item, path)
        return found and to_json(found)

    def between(self):
        kind = self.pick(["S", "N", "N", "B"])
        low, high = self.values.scalar(kind), self.values.scalar(kind)
        if self.chance(0.9):
            low, high = sorted((low, high), key=lambda json: order(parse_value(json)))
        return self.join(self.operand_path(), self.word("BETWEEN"), self.holder(low), self.word("AND"),
                         self.holder(high))

    def function(self):
        name = self.pick(["attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains",
                          "contains"])
        steps = self.container() if name == "contains" else self.values.path(self.item)
        path = self.path_text(steps)
        if name.endswith("exists"):
            return f"{name}({path})"
        part = self.part_of(lookup(self.item or {}, steps))
        if part and name in ("contains", "begins_with") and self.chance(0.7):
            if name == "contains" or part[0] in ("S", "B"):
                return f"{name}({path}, {self.holder(to_json(part))})"
        if name == "attribute_type":
            return f"{name}({path}, {self.holder({'S': self.pick(TYPES)})})"
        kind = self.pick(["S", "B"]) if name == "begins_with" or self.chance(0.6) else self.pick(["N", "L", "M", "BOOL"])
        return f"{name}({path},{self.blank()}{self.path() if self.chance(0.1) else self.value(kind)})"

    def container(self):
        """Steps to a list or a set that the item has."""
        found = [[name, *more] for name, value in (self.item or {}).items() for more in containers(value)]
        return self.pick(found) if found and self.chance(0.7) else self.values.path(self.item)

    def part_of(self, value):
        """What a value contains, or nearly."""
        if value is None or value[0] not in ("S", "B", "SS", "NS", "BS", "L") or not value[1]:
            return None
        kind, body = value
        if kind in ("S", "B"):
            start = self.random.randrange(len(body))
            return kind, body[start if self.chance(0.5) else 0:start + self.random.randint(0, 3)]
        part = self.pick(body) if kind == "L" else (kind[0], self.pick(sorted(body)))
        if self.chance(0.5):
            return part
        near = self.values.near(to_json(part)) if self.chance(0.6) else self.values.value(depth=2, kind=part[0])
        return parse_value(near)

    # Projections and updates

    def projection(self):
        seen = set()
        return f",{self.blank()}".join(self.path_text(self.new_path(seen)) for _ in range(self.random.randint(1, 4)))

    def update(self):
        clauses, seen = {}, set()
        for _ in range(self.pick([1, 1, 1, 2, 2, 3, 4])):
            clause = self.pick(["SET", "SET", "SET", "REMOVE", "ADD", "DELETE"])
            clauses.setdefault(clause, []).append(getattr(self, clause.lower())(self.new_path(seen)))
        order = list(clauses)
        self.random.shuffle(order)
        return self.blank().join(f"{self.word(clause)} {', '.join(clauses[clause])}" for clause in order)

    def set(self, path):
        return f"{self.path_text(path)} = {self.set_value()}"

    def set_value(self):
        roll = self.random.random()
        if roll < 0.45:
            return self.value()
        if roll < 0.55:
            return self.path()
        if roll < 0.8:
            return f"{self.number()} {self.pick('+-')} {self.number()}"
        if roll < 0.9:
            return f"if_not_exists({self.path()}, {self.value()})"
        lists = [self.path(), self.value("L")]
        if self.chance(0.3):
            lists[0] = f"if_not_exists({lists[0]}, {self.value('L')})"
        self.random.shuffle(lists)
        return f"list_append({lists[0]}, {lists[1]})"

    def number(self):
        roll = self.random.random()
        if roll < 0.5:
            return self.value("N")
        if roll < 0.7:
            return f"if_not_exists({self.path()}, {self.value('N')})"
        return self.path_text(["n"]) if roll < 0.9 else self.path()

    def remove(self, path):
        return self.path_text(path)

    def add(self, path):
        return f"{self.path_text(path)} {self.value(self.kind_at(path, ['N', 'SS', 'NS', 'BS']))}"

    def delete(self, path):
        return f"{self.path_text(path)} {self.value(self.kind_at(path, ['SS', 'NS', 'BS']))}"

    def kind_at(self, path, kinds):
        """One of `kinds`, mostly that of the value at a path."""
        found = lookup(self.item or {}, path)
        return found[0] if found and found[0] in kinds and self.chance(0.7) else self.pick(kinds)

    # Key conditions

    def key_condition(self, table, target):
        parts = [self.key_equal(table, name) for name in target.hash]
        used = self.random.randint(0, len(target.range))
        for name in target.range[:max(used - 1, 0)]:
            parts.append(self.key_equal(table, name))
        if used:
            parts.append(self.key_range(table, target.range[used - 1]))
        self.random.shuffle(parts)
        parts = [f"({part})" if self.chance(0.1) else part for part in parts]
        return self.blank().join(f"{part} {self.word('AND')}" for part in parts[:-1]) + " " * (len(parts) > 1) + parts[-1]

    def key_value(self, table, name):
        return self.holder(self.key_json(table, name))

    def key_json(self, table, name):
        value = (self.item or {}).get(name)
        if value and value[0] == table.types[name] and self.chance(0.7):
            return to_json(value)
        return self.values.key_value(table, name)

    def key_equal(self, table, name):
        holder = self.key_value(table, name)
        return f"{holder} = {self.name(name)}" if self.chance(0.1) else f"{self.name(name)} = {holder}"

    def key_range(self, table, name):
        roll = self.random.random()
        if roll < 0.2 and table.types[name] != "N":
            return f"begins_with({self.name(name)}, {self.key_value(table, name)})"
        if roll < 0.4:
            bounds = [self.key_json(table, name), self.key_json(table, name)]
            if self.chance(0.9):
                bounds.sort(key=lambda json: order(parse_value(json)))
            return f"{self.name(name)} {self.word('BETWEEN')} {self.holder(bounds[0])} AND {self.holder(bounds[1])}"
        op = self.pick(["=", "<", "<=", ">", ">="])
        if self.chance(0.2):
            return f"{self.key_value(table, name)} {op} {self.name(name)}"
        return f"{self.name(name)} {op} {self.key_value(table, name)}"

    def fill(self, request):
        if self.names:
            request["ExpressionAttributeNames"] = self.names
        if self.holders:
            request["ExpressionAttributeValues"] = self.holders
        return request

