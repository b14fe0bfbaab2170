"""The constraints of the service's model on a request: what is looked at before anything else."""

import re

from expression_text import ANY
from values import Fault

REQUIRED = {"PutItem": ("TableName", "Item"), "GetItem": ("TableName", "Key"), "DeleteItem": ("TableName", "Key"),
            "UpdateItem": ("TableName", "Key"), "Query": ("TableName",), "Scan": ("TableName",),
            "BatchGetItem": ("RequestItems",), "BatchWriteItem": ("RequestItems",),
            "TransactWriteItems": ("TransactItems",), "TransactGetItems": ("TransactItems",)}
ENUMS = {
    "ReturnConsumedCapacity": ("INDEXES", "TOTAL", "NONE"),
    "ReturnItemCollectionMetrics": ("SIZE", "NONE"),
    "ReturnValues": ("ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"),
    "ReturnValuesOnConditionCheckFailure": ("ALL_OLD", "NONE"),
    "Select": ("SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"),
    "ConditionalOperator": ("OR", "AND"),
}
RANGES = {"Limit": (1, None), "Segment": (0, 999999), "TotalSegments": (1, 1000000)}
LENGTHS = {"TransactItems": (1, 100)}
NAME = re.compile(r"[a-zA-Z0-9_.-]+\Z")
ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/"
ONE = "1 validation error detected: "


def lower_first(name):
    return name[0].lower() + name[1:]


def broken(name, value, rule):
    return f"Value '{value}' at '{lower_first(name)}' failed to satisfy constraint: {rule}"


def check(operation, request):
    faults = [f"Value null at '{lower_first(name)}' failed to satisfy constraint: Member must not be null"
              for name in REQUIRED.get(operation, ()) if name not in request]
    faults += [broken(name, request[name], f"Member must satisfy enum value set: [{', '.join(allowed)}]")
               for name, allowed in ENUMS.items() if name in request and request[name] not in allowed]
    for name, (low, high) in RANGES.items():
        if name in request and request[name] < low:
            faults.append(broken(name, request[name], f"Member must have value greater than or equal to {low}"))
        if name in request and high is not None and request[name] > high:
            faults.append(broken(name, request[name], f"Member must have value less than or equal to {high}"))
    if len(faults) == 1:
        raise Fault(ONE + faults[0])
    if faults:
        raise Fault(ANY)
    check_names("", request)
    check_lengths(operation, request)
    for at, member in enumerate(request.get("TransactItems", ()), 1):
        for kind, part in member.items():
            check_names(f"transactItems.{at}.member.{lower_first(kind)}.", part)


def check_names(path, part):
    for name in ("TableName", "IndexName"):
        if name in part and not NAME.match(part[name].removeprefix(ARN)):
            # The name may be too short besides, and the pattern is told in two ways.
            raise Fault(f"{ONE}Value '{part[name]}' at '{path}{lower_first(name)}' failed to satisfy constraint: {ANY}",
                        f"2 validation errors detected: {ANY}")


def check_lengths(operation, request):
    for name, (low, high) in LENGTHS.items():
        if name in request and not low <= len(request[name]) <= high:
            rule = f"greater than or equal to {low}" if len(request[name]) < low else f"less than or equal to {high}"
            raise Fault(f"{ONE}Value {ANY}", f"{ONE}Value '[]' at '{lower_first(name)}' failed to satisfy constraint: "
                        f"Member must have length {rule}")
    if operation == "BatchGetItem":
        check_gets(request["RequestItems"])
    if operation == "BatchWriteItem":
        check_writes(request["RequestItems"])


def check_gets(parts):
    if not parts:
        raise Fault(f"{ONE}Value at 'RequestItems' failed to satisfy constraint: Member must have length greater than or "
                    "equal to 1", "The requestItems parameter is required for BatchGetItem")
    for name, part in parts.items():
        if not part["Keys"]:
            raise Fault(ONE + ANY)
        if len(part["Keys"]) > 100:
            raise Fault(f"{ONE}Value at 'requestItems.{name}.member.keys' failed to satisfy constraint: Member must have "
                        "length less than or equal to 100")
    if sum(len(part["Keys"]) for part in parts.values()) > 100:
        raise Fault("Too many items requested for the BatchGetItem call")


def check_writes(parts):
    if not parts:
        raise Fault("The requestItems parameter is required for BatchWriteItem")
    if any(not 1 <= len(members) <= 25 for members in parts.values()):
        raise Fault(ONE + ANY)
    if sum(len(members) for members in parts.values()) > 25:
        raise Fault("Too many items requested for the BatchWriteItem call")
