"""The parameters that expressions replaced, read into the same trees."""

import values as v
from expression_text import ANY
from values import INVALID, Fault

NAMES = {"Projection": ("AttributesToGet",), "Condition": ("Expected",), "Update": ("AttributeUpdates",),
         "Filter": ("ScanFilter", "QueryFilter"), "KeyCondition": ("KeyConditions",)}
OPERATORS = {"EQ": "=", "NE": "<>", "LT": "<", "LE": "<=", "GT": ">", "GE": ">="}
ARGUMENTS = {**dict.fromkeys(("EQ", "NE", "LE", "LT", "GE", "GT", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH"), 1),
             "BETWEEN": 2, "NULL": 0, "NOT_NULL": 0}
SCALARS = ("S", "N", "B")
VALID_TYPES = {**dict.fromkeys(("LT", "LE", "GT", "GE", "BETWEEN", "IN", "CONTAINS", "NOT_CONTAINS"), SCALARS),
               "BEGINS_WITH": ("S", "B")}


def given(request, kinds):
    return [name for kind in kinds for name in NAMES[kind] if name in request]


def check_not_mixed(request, kinds):
    operator = bool({"Filter", "Condition"} & set(kinds)) and "ConditionalOperator" in request
    old = given(request, kinds) + ["ConditionalOperator"] * operator
    new = [f"{kind}Expression" for kind in kinds if f"{kind}Expression" in request]
    if not old or not new:
        return
    text = "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: "
    sure = len(old) == len(new) == 1
    raise Fault(text + (f"{{{old[0]}}} Expression parameters: {{{new[0]}}}" if sure else ANY), family=True)


def parse(request, kind):
    """The tree of the legacy parameter for `kind`, as a Checker gives it; None when there is none."""
    names = given(request, [kind])
    if not names:
        return None
    body = request[names[0]]
    if kind == "Projection":
        for name in body:
            if body.count(name) > 1:
                raise Fault(f"{INVALID}Duplicate value in attribute name: {name}")
        return [(name,) for name in body]
    read = {"Update": update, "KeyCondition": key_condition, "Condition": expected, "Filter": condition}[kind]
    found = read_all(body, read)
    if kind == "KeyCondition":
        return dict(zip(body, found))
    return found if kind == "Update" else join(request, found)


def read_all(body, read):
    """Each entry read. Of the faults of several any may be told."""
    found, faults = [], []
    for name, part in body.items():
        try:
            found.append(read(name, part))
        except Fault as fault:
            faults.append(fault)
    v.one_of(faults)
    return found


def check_operator(request, kinds):
    """ConditionalOperator joins two conditions or more."""
    if "ConditionalOperator" not in request or any(f"{kind}Expression" in request for kind in NAMES):
        return
    names = given(request, [kind for kind in kinds if kind in ("Condition", "Filter")])
    if not names:
        raise Fault("ConditionalOperator cannot be used without Filter or Expected")
    if len(request[names[0]]) < 2:
        raise Fault("ConditionalOperator can only be used when Filter or Expected has two or more elements")


def join(request, conditions):
    kind = request.get("ConditionalOperator", "AND").lower()
    tree = conditions[0]
    for each in conditions[1:]:
        tree = (kind, tree, each)
    return tree


def arguments(part):
    op = part["ComparisonOperator"]
    found = [v.parse_value(json) for json in part.get("AttributeValueList", [])]
    wanted = ARGUMENTS.get(op, max(len(found), 1))
    if len(found) != wanted:
        raise Fault(f"{INVALID}Invalid number of argument(s) for the {op} ComparisonOperator")
    faults = [Fault(f"{INVALID}ComparisonOperator {op} is not valid for {value[0]} AttributeValue type")
              for value in found if value[0] not in VALID_TYPES.get(op, v.TYPES)]
    if len({value[0] for value in found}) > 1:
        faults.append(Fault(f"{INVALID}AttributeValues inside AttributeValueList must be of same type"))
    v.one_of(faults)
    return op, found


def condition(name, part):
    op, found = arguments(part)
    path, operands = ("path", (name,)), [("value", value) for value in found]
    exists = ("function", "attribute_exists", [path])
    if op in OPERATORS:
        return "compare", OPERATORS[op], path, operands[0]
    if op in ("NULL", "NOT_NULL"):
        return exists if op == "NOT_NULL" else ("not", exists)
    if op == "IN":
        return "in", path, operands
    if op == "BETWEEN":
        return "between", path, *operands
    test = ("function", "begins_with" if op == "BEGINS_WITH" else "contains", [path, *operands])
    return ("and", exists, ("not", test)) if op == "NOT_CONTAINS" else test


def expected(name, part):
    if "ComparisonOperator" in part:
        if "Value" in part or "Exists" in part:
            raise Fault(f"{INVALID}Value or Exists cannot be used with ComparisonOperator for Attribute: {name}")
        return condition(name, part)
    if part.get("Exists") is False and "Value" not in part:
        return "function", "attribute_not_exists", [("path", (name,))]
    if "Value" not in part or part.get("Exists") is False:
        raise Fault(f"{INVALID}Value {ANY}")
    return "compare", "=", ("path", (name,)), ("value", v.parse_value(part["Value"]))


def key_condition(_name, part):
    op, found = arguments(part)
    if op not in ("EQ", "LT", "LE", "GT", "GE", "BEGINS_WITH", "BETWEEN"):
        raise Fault(ANY)
    return {"BEGINS_WITH": "begins_with"}.get(op, OPERATORS.get(op, op)), found


def update(name, part):
    action, json = part.get("Action", "PUT"), part.get("Value")
    if json is None:
        if action != "DELETE":
            raise Fault(f"{INVALID}Only DELETE action is allowed when no attribute value is specified")
        return "REMOVE", (name,), None
    value = v.parse_value(json)
    if action == "ADD" and value[0] not in ("N", "SS", "NS", "BS", "L"):
        raise Fault(f"{INVALID}ADD action is not supported for the type {value[0]}")
    if action == "DELETE" and value[0] not in ("SS", "NS", "BS"):
        raise Fault(f"{INVALID}DELETE action with value is not supported for the type {value[0]}")
    return "SET" if action == "PUT" else action, (name,), ("value", value)
