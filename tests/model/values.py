"""Attribute values of the model: (type, payload) pairs.

S str, N Decimal, B bytes, BOOL bool, NULL True, SS NS BS frozenset, L list, M dict. Python's own
equality is then DynamoDB's: numbers by value, sets without order, maps by names.
"""

import base64
import decimal
import re
from decimal import Decimal

# Wide enough for the sum of the largest and the smallest number: nothing here is ever rounded.
decimal.setcontext(decimal.Context(prec=700, Emax=99999, Emin=-99999,
                                   traps=[decimal.InvalidOperation, decimal.Inexact]))

MAX_DIGITS = 38
MAX_DEPTH = 32
MAX_ITEM = 400 * 1024
INVALID = "One or more parameter values were invalid: "
NOT_NUMERIC = "The parameter cannot be converted to a numeric value"
TOO_MANY_DIGITS = "Attempting to store more than 38 significant digits in a Number"
OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
UNDERFLOW = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
NESTED = ("Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
          "beyond supported limit")
EMPTY_VALUE = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
TWO_TYPES = ("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
             "supported datatypes")

TYPES = ("S", "N", "B", "SS", "NS", "BS", "M", "L", "NULL", "BOOL")
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?\Z")


class Fault(Exception):
    """An error answer. `texts`: where several faults stand in one request, any may be reported."""

    def __init__(self, *texts, kind="ValidationException", family=False, **more):
        super().__init__(texts[0])
        self.texts = texts
        self.kind = kind
        # Whether a text gets the envelope on PutItem and UpdateItem; None: perhaps.
        self.families = [family] * len(texts)
        self.more = more


def one_of(faults):
    """The faults that one step of checking found, as one that allows the text of each."""
    if faults:
        fault = Fault(*[text for each in faults for text in each.texts])
        fault.families = [family for each in faults for family in each.families]
        raise fault


def together(*checks):
    """What the last check gives. All are made: the order in which they are is free."""
    faults, result = [], None
    for check in checks:
        try:
            result = check()
        except Fault as fault:
            faults.append(fault)
    one_of(faults)
    return result


def check_number(value):
    if value == 0:
        return Decimal(0)
    digits = value.normalize()
    if len(digits.as_tuple().digits) > MAX_DIGITS:
        raise Fault(TOO_MANY_DIGITS)
    if digits.adjusted() > 125:
        raise Fault(OVERFLOW)
    if digits.adjusted() < -130:
        raise Fault(UNDERFLOW)
    return digits


def parse_number(text):
    if text == "":
        raise Fault(NOT_NUMERIC)
    if not NUMBER.match(text):
        raise Fault(f"{NOT_NUMERIC}: {text}")
    return check_number(Decimal(text))


def number_text(value):
    return "0" if value == 0 else format(value.normalize(), "f")


def member_parser(kind):
    return {"S": lambda text: text, "N": parse_number,
            "B": lambda text: base64.b64decode(text, validate=True)}[kind]


def parse_set(kind, texts):
    if not texts:
        raise Fault(INVALID + {"SS": "An string set  may not be empty", "NS": "An number set  may not be empty",
                               "BS": "Binary sets should not be empty"}[kind], family=True)
    members = [member_parser(kind[0])(text) for text in texts]
    if len(set(members)) < len(members):
        listed = ", ".join(texts)
        raise Fault({"SS": f"{INVALID}Input collection [{listed}] contains duplicates.",
                     "NS": "Input collection contains duplicates",
                     "BS": f"{INVALID}Input collection [{listed}]of type BS contains duplicates."}[kind],
                    family=True)
    return kind, frozenset(members)


def parse_value(json, depth=1):
    """A value as JSON has it, checked. Types of JSON members are right (the generator sees to that)."""
    known = [kind for kind in json if kind in TYPES]
    if not known:
        raise Fault(EMPTY_VALUE)
    if len(known) > 1:
        raise Fault(TWO_TYPES)
    kind, body = known[0], json[known[0]]
    if depth > MAX_DEPTH:
        raise Fault(NESTED)
    if kind == "NULL" and not body:
        raise Fault(INVALID + "Null attribute value types must have the value of true", family=True)
    if kind in ("S", "N", "B"):
        return kind, member_parser(kind)(body)
    if kind in ("SS", "NS", "BS"):
        return parse_set(kind, body)
    if kind == "L":
        return kind, [parse_value(member, depth + 1) for member in body]
    if kind == "M":
        return kind, {name: parse_value(member, depth + 1) for name, member in body.items()}
    return kind, body


def parse_item(json):
    return {name: parse_value(value) for name, value in json.items()}


def read_answer(json):
    """A value of an answer. Its text must be canonical."""
    value = parse_value(json)
    texts = {"N": lambda body: [body], "NS": lambda body: body}.get(value[0], lambda body: [])(json[value[0]])
    for text in texts:
        if text != number_text(Decimal(text)):
            raise AssertionError(f"{text} is not canonical")
    if value[0] == "L":
        return "L", [read_answer(member) for member in json["L"]]
    if value[0] == "M":
        return "M", read_item(json["M"])
    return value


def read_item(json):
    return {name: read_answer(value) for name, value in json.items()}


def to_json(value):
    kind, body = value
    simple = {"N": number_text, "B": lambda b: base64.b64encode(b).decode()}
    if kind in ("N", "B"):
        return {kind: simple[kind](body)}
    if kind in ("NS", "BS"):
        return {kind: [simple[kind[0]](member) for member in sorted(body)]}
    if kind == "SS":
        return {kind: sorted(body)}
    if kind == "L":
        return {kind: [to_json(member) for member in body]}
    if kind == "M":
        return {kind: item_to_json(body)}
    return {kind: body}


def item_to_json(item):
    return {name: to_json(value) for name, value in item.items()}


def number_size(value):
    if value == 0:
        return 1
    whole, _, fraction = number_text(abs(value)).partition(".")
    whole = whole.lstrip("0")
    if not fraction:
        whole = whole.rstrip("0")
    if not whole:
        fraction = fraction.lstrip("0")
    return 1 + (len(whole) + 1) // 2 + (len(fraction) + 1) // 2 + (value < 0)


def size(value):
    kind, body = value
    if kind == "S":
        return len(body.encode())
    if kind == "B":
        return len(body)
    if kind == "N":
        return number_size(body)
    if kind in ("BOOL", "NULL"):
        return 1
    if kind in ("SS", "NS", "BS"):
        return sum(size((kind[0], member)) for member in body)
    if kind == "L":
        return 3 + sum(1 + size(member) for member in body)
    return 3 + len(body) + item_size(body)


def item_size(item):
    return sum(len(name.encode()) + size(value) for name, value in item.items())


def order(value):
    """What sorts as the key value does among keys of its type."""
    return value[1].encode() if value[0] == "S" else value[1]
