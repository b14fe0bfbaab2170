"""Expressions: placeholders, reserved words and the types of operands, before any item is read."""

import pathlib
import re

import values as v
from expression_text import ANY, CONDITION_FUNCTIONS, UPDATE_FUNCTIONS, Parser
from values import Fault, one_of

RESERVED = frozenset((pathlib.Path(__file__).parent / "reserved_words.txt").read_text().split())
OPERANDS = {"attribute_exists": 1, "attribute_not_exists": 1, "size": 1, "attribute_type": 2, "begins_with": 2,
            "contains": 2, "if_not_exists": 2, "list_append": 2}
ORDERED = ("S", "N", "B")
SIZED = ("S", "B", "SS", "NS", "BS", "L", "M")
TYPE_WORDS = {"S": "STRING", "N": "NUMBER", "B": "BINARY", "BOOL": "BOOLEAN", "NULL": "NULL", "L": "LIST",
              "M": "MAP", "SS": "STRING_SET", "NS": "NUMBER_SET", "BS": "BINARY_SET"}
ADDABLE = ("N", "SS", "NS", "BS")
NAME = re.compile(r"#[A-Za-z0-9_]+\Z")
VALUE = re.compile(r":[A-Za-z0-9_]+\Z")
MAX_PLACEHOLDER = 255
DISTINCT = ("The first operand must be distinct from the remaining operands for this operator or function; "
            "operator: {}, first operand: {}")
OPERAND_TYPE = "Incorrect operand type for operator or function; operator or function: {}, operand type: {}"


def path_text(path):
    return "[" + ", ".join(f"[{step}]" if isinstance(step, int) else step for step in path) + "]"


def value_text(value):
    return f"AttributeValue: {{{value[0]}:{v.number_text(value[1]) if value[0] == 'N' else value[1]}}}"


def strip(node):
    while node[0] == "paren":
        node = node[1]
    return node


class Placeholders:
    """ExpressionAttributeNames and ExpressionAttributeValues of one request."""

    def __init__(self, request, expressions):
        self.names = request.get("ExpressionAttributeNames")
        raw = request.get("ExpressionAttributeValues")
        self.used = set()
        self.values = None
        given = [kind for kind in expressions if request.get(kind) is not None]
        holders = [kind for kind in given if kind != "ProjectionExpression"]
        if expressions == ["ProjectionExpression"]:
            raw = None  # no parameter of such an operation
        self.check_map("ExpressionAttributeNames", self.names, given, NAME, expressions)
        self.check_map("ExpressionAttributeValues", raw, holders, VALUE, expressions)
        if raw is not None:
            self.values = {key: self.read(key, value) for key, value in raw.items()}

    @staticmethod
    def check_map(parameter, placeholders, given, pattern, expressions):
        if placeholders is None:
            return
        if not given:
            text = f"{parameter} can only be specified when using expressions"
            if parameter.endswith("Values"):
                holders = [kind for kind in expressions if kind != "ProjectionExpression"]
                text += f": {' and '.join(holders)} {'is' if len(holders) == 1 else 'are'} null"
            raise Fault(text, family=True)
        if not placeholders:
            raise Fault(f"{parameter} must not be empty", family=True)
        for key, value in placeholders.items():
            if len(key) > MAX_PLACEHOLDER:
                end = f" size of key: {len(key)}" if parameter.endswith("Names") else ""
                raise Fault(f"{parameter} contains invalid key: The expression attribute map contains a key that "
                            f"is too long;{end}", family=None)
            if not pattern.match(key):
                raise Fault(f'{parameter} contains invalid key: Syntax error; key: "{key}"', family=None)
            if value == "":
                raise Fault(f"{parameter} contains invalid value: Empty attribute name for key {key}", family=None)

    @staticmethod
    def read(key, json):
        try:
            return v.parse_value(json)
        except Fault as fault:
            if fault.texts[0] == v.NESTED:
                raise
            raise Fault(*[f"ExpressionAttributeValues contains invalid value: {text} for key {key}"
                          for text in fault.texts], family=fault.families[0]) from None

    def check_used(self):
        for parameter, given in (("Names", self.names), ("Values", self.values)):
            unused = set(given or {}) - self.used
            if unused:
                raise Fault(f"Value provided in ExpressionAttribute{parameter} unused in expressions: keys: "
                            f"{{{', '.join(sorted(unused))}}}", family=True)


class Checker:
    """Checks one expression and gives its tree with paths resolved and values in place."""

    def __init__(self, kind, text, placeholders):
        self.parser = Parser(kind, text)
        self.placeholders = placeholders

    def close(self, result):
        one_of(self.parser.faults)
        self.placeholders.used |= self.parser.used
        return result

    def note(self, text):
        self.parser.note(text)

    def path(self, steps):
        names = self.placeholders.names or {}
        resolved = []
        for step in steps:
            if isinstance(step, str) and step.startswith("#"):
                if step not in names:
                    self.note("An expression attribute name used in the document path is not defined; "
                              f"attribute name: {step}")
                step = names.get(step, step)
            elif isinstance(step, str) and step.upper() in RESERVED:
                self.note(f"Attribute name is a reserved keyword; reserved keyword: {step}")
            resolved.append(step)
        return tuple(resolved)

    def value(self, name):
        values = self.placeholders.values or {}
        if name not in values:
            self.note(f"An expression attribute value used in expression is not defined; attribute value: {name}")
        return values.get(name)

    def operand(self, node):
        node = strip(node)
        if node[0] == "path":
            return "path", self.path(node[1])
        if node[0] == "value":
            return "value", self.value(node[1])
        if node[0] == "arithmetic":
            return "arithmetic", node[1], self.typed(node[1], ("N",), node[2]), self.typed(node[1], ("N",), node[3])
        return self.function(node[1], [strip(argument) for argument in node[2]])

    def typed(self, op, types, node):
        operand = self.operand(node)
        if operand[0] == "value" and operand[1] is not None and operand[1][0] not in types:
            self.note(OPERAND_TYPE.format(op, operand[1][0]))
        return operand

    def function(self, name, arguments):
        if name not in OPERANDS or (name in UPDATE_FUNCTIONS) != (self.parser.kind == "Update"):
            return "function", name, []
        if len(arguments) != OPERANDS[name]:
            self.note("Incorrect number of operands for operator or function; operator or function: "
                      f"{name}, number of operands: {len(arguments)}")
            return "function", name, [self.operand(argument) for argument in arguments]
        return "function", name, self.arguments(name, arguments)

    def arguments(self, name, arguments):
        needs_path = ("attribute_exists", "attribute_not_exists", "if_not_exists")
        if name in needs_path and arguments[0][0] != "path":
            self.note(f"Operator or function requires a document path; operator or function: {name}")
        types = {"begins_with": ("S", "B"), "attribute_type": ("S",), "size": SIZED, "list_append": ("L",)}
        found = [self.typed(name, types.get(name, v.TYPES), argument) for argument in arguments]
        if name in ("contains", "begins_with"):
            self.distinct(name, found)
        if name == "attribute_type" and found[1][0] != "value":
            self.note(f"Incorrect operand type for operator or function; operator or function: attribute_type{ANY}")
        kind = found[1][1] if name == "attribute_type" and found[1][0] == "value" else None
        if kind is not None and kind[0] == "S" and kind[1] not in v.TYPES:
            self.note(f"Invalid attribute type name found; type: {kind[1]}, valid types: "
                      "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}")
        return found

    def distinct(self, op, operands):
        if operands[0][0] == "path" and operands[0] in operands[1:]:
            self.note(DISTINCT.format(op, path_text(operands[0][1])))

    # Conditions

    def condition(self):
        return self.close(self.branch(self.parser.condition()))

    def branch(self, node):
        node = strip(node)
        if node[0] in ("and", "or"):
            return node[0], self.branch(node[1]), self.branch(node[2])
        if node[0] == "not":
            return "not", self.branch(node[1])
        if node[0] == "compare":
            return self.comparison(node[1], node[2:])
        if node[0] == "between":
            return self.between([self.typed("BETWEEN", ORDERED, part) for part in node[1:]])
        if node[0] == "in":
            return self.membership([self.operand(part) for part in (node[1], *node[2])])
        return self.function(node[1], [strip(argument) for argument in node[2]])

    def membership(self, operands):
        self.distinct("IN", operands)
        return "in", operands[0], operands[1:]

    def comparison(self, op, parts):
        types = v.TYPES if op in ("=", "<>") else ORDERED
        operands = [self.typed(op, types, part) for part in parts]
        self.distinct(op, operands)
        return "compare", op, *operands

    def between(self, operands):
        low, high = operands[1:]
        bounds = (low[1], high[1]) if low[0] == high[0] == "value" and low[1] and high[1] else None
        if bounds:
            text = f"lower bound operand: {value_text(bounds[0])}, upper bound operand: {value_text(bounds[1])}"
            if bounds[0][0] != bounds[1][0]:
                self.note("The BETWEEN operator requires same data type for lower and upper bounds; " + text)
            elif bounds[0][0] in ORDERED and v.order(bounds[1]) < v.order(bounds[0]):
                self.note("The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
                          + (text if bounds[0][0] != "B" else ANY))
        return "between", *operands

    # Projections and updates

    def overlap(self, paths):
        for j, second in enumerate(paths):
            for first in paths[:j]:
                shared = next((i for i, (a, b) in enumerate(zip(first, second)) if a != b), None)
                if shared is None:
                    word = "overlap"
                elif isinstance(first[shared], int) != isinstance(second[shared], int):
                    word = "conflict"
                else:
                    continue
                self.note(f"Two document paths {word} with each other; must remove or rewrite one of these paths; "
                          f"path one: {path_text(first)}, path two: {path_text(second)}")

    def projection(self):
        paths = [self.path(path) for path in self.parser.projection()]
        self.overlap(paths)
        return self.close(paths)

    def update(self):
        actions = []
        for clause, path, operand in self.parser.update():
            target = self.path(path)
            actions.append((clause, target, self.update_operand(clause, operand)))
        self.overlap([path for _, path, _ in actions])
        return self.close(actions)

    def update_operand(self, clause, operand):
        if operand is None:
            return None
        found = self.operand(operand)
        allowed = {"ADD": ADDABLE, "DELETE": ADDABLE[1:]}.get(clause)
        if allowed and found[1] is not None and found[1][0] not in allowed:
            self.note(f"Incorrect operand type for operator or function; operator: {clause}, operand type: "
                      f"{TYPE_WORDS[found[1][0]]}, typeSet: ALLOWED_FOR_{clause}_OPERAND")
        return found


assert all(name in OPERANDS for name in CONDITION_FUNCTIONS + UPDATE_FUNCTIONS)
