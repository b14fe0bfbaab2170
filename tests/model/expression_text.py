"""Expressions: text to trees.

Condition trees, where p is a path (a tuple of names as written and of indexes):

    ("and" | "or", x, y)  ("not", x)  ("compare", op, a, b)  ("between", a, low, high)
    ("in", a, [b, ...])   ("function", name, [a, ...])  ("paren", x)  ("path", p)  ("value", ":v")

An update is a list of (clause, p, operand), an operand of SET also ("arithmetic", op, a, b).
"""

import re

from values import Fault

TOKEN = re.compile(r"[ \t\r\n]*(#[A-Za-z0-9_]+|:[A-Za-z0-9_]+|[A-Za-z_][A-Za-z0-9_]*|[0-9]+|<>|<=|>=|.|\Z)",
                   re.S)
COMPARATORS = ("=", "<>", "<", "<=", ">", ">=")
CONDITION_WORDS = ("AND", "OR", "NOT", "BETWEEN", "IN")
CLAUSES = ("SET", "REMOVE", "ADD", "DELETE")
TEST_FUNCTIONS = ("attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains")
CONDITION_FUNCTIONS = (*TEST_FUNCTIONS, "size")
UPDATE_FUNCTIONS = ("if_not_exists", "list_append")
MAX_TEXT = 4096
# Text that lexers may cut in two ways: words that begin with a digit or _, marks without a word, other letters.
ODD = re.compile(r"(?<![A-Za-z0-9_#:])(_|[0-9]+[A-Za-z_])|[#:](?![A-Za-z0-9_])|[^\x00-\x7f]")
ANY = "\0"  # ends a text of which only the beginning is known


class Parser:
    def __init__(self, kind, text):
        self.kind, self.text, self.faults, self.at = kind, text, [], 0
        self.used = set()
        self.tokens = []
        if text == "":
            raise self.fault("The expression can not be empty;")
        if len(text.encode()) > MAX_TEXT:
            raise self.fault("Expression size has exceeded the maximum allowed size")
        position = 0
        while not self.tokens or self.tokens[-1][0] != "":
            match = TOKEN.match(text, position)
            position = match.end()
            self.tokens.append((match.group(1), match.start(1), match.end(1)))

    def fault(self, text):
        return Fault(f"Invalid {self.kind}Expression: {text}", family=True)

    def note(self, text):
        """A fault that counts only when the whole text is well formed."""
        self.faults.append(self.fault(text))

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][0]

    def word(self):
        return self.peek().upper()

    def next(self):
        token = self.peek()
        if token[:1] in ("#", ":"):
            self.used.add(token)
        self.at += 1
        return token

    def syntax(self):
        token = self.peek()
        if ODD.search(self.text):
            return self.fault(f"Syntax error; token: {ANY}")
        if token == "":
            return self.fault(f'Syntax error; token: "<EOF>", near: "{ANY}')
        start = self.tokens[self.at - 1][1] if self.at else 0
        end = self.tokens[self.at + 1][2] if self.peek(1) else self.tokens[self.at][2]
        return self.fault(f'Syntax error; token: "{token}", near: "{self.text[start:end]}"')

    def expect(self, token):
        if self.peek() != token:
            raise self.syntax()
        self.next()

    def is_name(self, ahead=0):
        token = self.peek(ahead)
        return bool(re.match(r"[A-Za-z_]|#.", token))

    def element(self):
        words = CLAUSES if self.kind == "Update" else CONDITION_WORDS if self.kind != "Projection" else ()
        if not self.is_name() or self.word() in words:
            raise self.syntax()
        return self.next()

    def path(self):
        steps = [self.element()]
        while self.peek() in (".", "["):
            if self.next() == ".":
                steps.append(self.element())
                continue
            if not self.peek().isdigit():
                raise self.syntax()
            steps.append(int(self.next()))
            self.expect("]")
        return tuple(steps)

    def arguments(self, parse):
        self.expect("(")
        found = [parse()]
        while self.peek() == ",":
            self.next()
            found.append(parse())
        self.expect(")")
        return found

    def paren(self, parse):
        self.expect("(")
        inner = parse()
        self.expect(")")
        if inner[0] == "paren":
            self.note("The expression has redundant parentheses;")
        return "paren", inner

    def finish(self, result):
        if self.peek() != "":
            raise self.syntax()
        return result

    # Conditions

    def condition(self):
        node = self.finish(self.disjunction())
        self.need_condition(node)
        return node

    def need_condition(self, node):
        kind = node
        while kind[0] == "paren":
            kind = kind[1]
        if kind[0] in ("path", "value"):
            raise self.syntax()
        if kind[0] == "function" and kind[1] == "size":
            self.note("The function is not allowed to be used this way in an expression; function: size")

    def chain(self, word, kind, parse):
        left = parse()
        while self.word() == word:
            self.need_condition(left)
            self.next()
            right = parse()
            self.need_condition(right)
            left = (kind, left, right)
        return left

    def disjunction(self):
        return self.chain("OR", "or", self.conjunction)

    def conjunction(self):
        return self.chain("AND", "and", self.negation)

    def negation(self):
        if self.word() != "NOT":
            return self.primary()
        self.next()
        node = self.negation()
        self.need_condition(node)
        return "not", node

    def primary(self):
        left = self.paren(self.disjunction) if self.peek() == "(" else self.operand()
        if self.peek() in COMPARATORS:
            op = self.next()
            return "compare", op, self.as_operand(left), self.as_operand(self.inner_operand())
        if self.word() == "BETWEEN":
            self.next()
            low = self.as_operand(self.inner_operand())
            if self.word() != "AND":
                raise self.syntax()
            self.next()
            return "between", self.as_operand(left), low, self.as_operand(self.inner_operand())
        if self.word() == "IN":
            self.next()
            return "in", self.as_operand(left), [self.as_operand(x) for x in self.arguments(self.inner_operand)]
        return left

    def as_operand(self, node):
        inner = node
        while inner[0] == "paren":
            inner = inner[1]
        if inner[0] == "function" and inner[1] in TEST_FUNCTIONS:
            self.note(f"The function is not allowed to be used this way in an expression; function: {inner[1]}")
        elif inner[0] not in ("path", "value", "function"):
            raise self.syntax()
        return inner

    def inner_operand(self):
        return self.paren(self.inner_operand) if self.peek() == "(" else self.operand()

    def operand(self):
        if self.peek().startswith(":") and len(self.peek()) > 1:
            return "value", self.next()
        if self.is_name() and not self.peek().startswith("#") and self.peek(1) == "(" \
                and self.word() not in CONDITION_WORDS:
            name = self.next()
            if name in UPDATE_FUNCTIONS:
                self.note(f"The function is not allowed in a condition expression; function: {name}")
            elif name not in CONDITION_FUNCTIONS:
                self.note(f"Invalid function name; function: {name}")
            return "function", name, self.arguments(self.inner_operand)
        return "path", self.path()

    # Projections and updates

    def projection(self):
        paths = [self.path()]
        while self.peek() == ",":
            self.next()
            paths.append(self.path())
        return self.finish(paths)

    def update(self):
        actions, seen = [], set()
        while not seen or self.peek() != "":
            clause = self.word()
            if clause not in CLAUSES:
                raise self.syntax()
            self.next()
            if clause in seen:
                self.note(f'The "{clause}" section can only be used once in an update expression;')
            seen.add(clause)
            actions.append(self.action(clause))
            while self.peek() == ",":
                self.next()
                actions.append(self.action(clause))
        return actions

    def action(self, clause):
        path = self.path()
        if clause == "REMOVE":
            return clause, path, None
        if clause == "SET":
            self.expect("=")
            return clause, path, self.set_value()
        if not self.peek().startswith(":"):
            raise self.syntax()
        return clause, path, ("value", self.next())

    def set_value(self):
        left = self.paren(self.set_value) if self.peek() == "(" else self.set_operand()
        inner = left
        while inner[0] == "paren":
            inner = inner[1]
        if inner[0] != "arithmetic" and self.peek() in ("+", "-"):
            op = self.next()
            return "arithmetic", op, left, self.set_inner()
        return left

    def set_inner(self):
        return self.paren(self.set_inner) if self.peek() == "(" else self.set_operand()

    def set_operand(self):
        if self.peek().startswith(":") and len(self.peek()) > 1:
            return "value", self.next()
        if self.is_name() and not self.peek().startswith("#") and self.peek(1) == "(":
            name = self.next()
            if name in CONDITION_FUNCTIONS:
                self.note(f"The function is not allowed in an update expression; function: {name}")
            elif name not in UPDATE_FUNCTIONS:
                self.note(f"Invalid function name; function: {name}")
            return "function", name, self.arguments(self.set_inner)
        return "path", self.path()
