"""Answers of the code under test, read into the model's values and held against what the model allows."""

import json

import values as v
from expression_text import ANY


def read_collections(body):
    metrics = body.get("ItemCollectionMetrics")
    if metrics is None:
        return
    if "ItemCollectionKey" in metrics:
        metrics["ItemCollectionKey"] = v.read_item(metrics["ItemCollectionKey"])
        return
    # Of a batch only the collections are compared, each once.
    body["ItemCollectionMetrics"] = {name: distinct(v.read_item(part["ItemCollectionKey"]) for part in parts)
                                     for name, parts in metrics.items()}


def distinct(parts):
    found = []
    for part in parts:
        if part not in found:
            found.append(part)
    return sorted(found, key=item_text)


def read_body(operation, text):
    """A success as the model writes it."""
    body = json.loads(text)
    if operation == "UpdateTable":
        return {}  # only what it does to later answers is compared
    for member in ("Item", "Attributes", "LastEvaluatedKey"):
        if member in body:
            body[member] = v.read_item(body[member])
    if "Items" in body:
        body["Items"] = [v.read_item(item) for item in body["Items"]]
    if operation == "BatchGetItem":
        body["Responses"] = {name: [v.read_item(item) for item in items] for name, items in body["Responses"].items()}
    if operation == "TransactGetItems":
        body["Responses"] = [{name: v.read_item(part) for name, part in entry.items()}
                             for entry in body["Responses"]]
    read_collections(body)
    return body


def item_text(item):
    return json.dumps(v.item_to_json(item), sort_keys=True)


def canonical(body):
    """A body with the parts whose order is free in one order."""
    body = dict(body)
    if isinstance(body.get("ConsumedCapacity"), list):
        body["ConsumedCapacity"] = sorted(body["ConsumedCapacity"], key=lambda part: part["TableName"])
    if isinstance(body.get("Responses"), dict):
        body["Responses"] = {name: sorted(items, key=item_text)
                             for name, items in body["Responses"].items()}
    metrics = body.get("ItemCollectionMetrics")
    if metrics and "ItemCollectionKey" not in metrics:
        body["ItemCollectionMetrics"] = {name: distinct(parts) for name, parts in metrics.items()}
    return body


def text_fits(pattern, text):
    if pattern is None or text is None:
        return pattern == text
    if ANY not in pattern:
        return pattern == text
    return text.startswith(pattern[:pattern.index(ANY)])


def reason_fits(allowed, reason):
    if reason.get("Code") not in allowed["Code"]:
        return False
    if not any(text_fits(text, reason.get("Message")) for text in allowed["Message"]):
        return False
    item = reason.get("Item")
    return (item and v.read_item(item)) == (allowed.get("Item") if reason["Code"] != "None" else None)


def fault_fits(fault, body):
    if not body["__type"].endswith("#" + fault.kind):
        return fault.kind == "TransactionCanceledException" and len(fault.texts) > 1 and \
            any(text_fits(text, body.get("message")) for text in fault.texts[1:])
    text = body.get("message", body.get("Message"))
    if not any(text_fits(pattern, text) for pattern in fault.texts):
        return False
    item = body.get("Item")
    if (item and v.read_item(item)) != fault.more.get("item"):
        return False
    reasons = fault.more.get("reasons")
    if reasons is None:
        return True
    told = body["CancellationReasons"]
    listed = ", ".join(reason["Code"] for reason in told)
    return len(told) == len(reasons) and text.endswith(f"[{listed}]") and \
        any(reason["Code"] != "None" for reason in told) and \
        all(reason_fits(allowed, reason) for allowed, reason in zip(reasons, told))


def fits(operation, status, text, answers):
    """Whether a real answer is one that the model allows."""
    if status != 200:
        body = json.loads(text)
        return any(answer.fault is not None and status == 400 and fault_fits(answer.fault, body)
                   for answer in answers)
    body = canonical(read_body(operation, text))
    return any(answer.fault is None and canonical(answer.body) == body for answer in answers)


def show_value(part):
    if isinstance(part, tuple) and len(part) == 2 and part[0] in v.TYPES:
        return v.to_json(part)
    if isinstance(part, dict):
        return {name: show_value(each) for name, each in part.items()}
    if isinstance(part, list):
        return [show_value(each) for each in part]
    return part


def show(answers):
    lines = []
    for answer in answers[:6]:
        if answer.fault is not None:
            lines.append(f"{answer.fault.kind}: " + " | ".join(text.replace(ANY, "...") for text in answer.fault.texts))
            lines += [f"    {name}: {show_value(more)}" for name, more in answer.fault.more.items()]
        else:
            lines.append(json.dumps(show_value(answer.body), ensure_ascii=False, sort_keys=True))
    if len(answers) > 6:
        lines.append(f"... and {len(answers) - 6} others")
    return "\n  ".join(lines)
