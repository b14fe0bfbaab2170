"""Query, Scan and BatchGetItem of the model.

Two orders are free: that of hash values in a scan, and that of ties on an index key. The model asks the code
under test for them once, checks all that is not free about them, and holds every other read to the same order.
"""

import json

import expression_run as run
import key_condition
import legacy
import tables
import values as v
from expression_check import Checker, Placeholders
from expression_text import ANY
from model import Answer, Model
from values import INVALID, Fault, one_of, together

MAX_PAGE = 1024 * 1024
START = "The provided starting key is invalid"
OUTSIDE = "The provided starting key is outside query boundaries based on provided conditions"
NO_PREDICATE = "The provided starting key does not match the range key predicate"
# Partitions of a table on demand: what a scan visits at most, and pays for at least.
PARTITIONS = 4


class Row:
    def __init__(self, target, table, key, item):
        self.key, self.item = key, item
        self.view = target.view(item) if target is not table else item
        if self.view is not None:
            self.hash = tuple(self.view[name] for name in target.hash)
            self.order = tuple(v.order(self.view[name]) for name in target.range)


class Wrong(Exception):
    """An order that the code under test gave breaks a rule."""


class Page:
    """The reading of one page over rows in their order."""

    def __init__(self, rows, limit, passes, fetches):
        self.read, self.kept, self.size, self.fetched, self.more = [], [], 0, 0, [False]
        for row in rows:
            self.read.append(row)
            self.size += v.item_size(row.view)
            if passes(row.view):
                self.kept.append(row)
                self.fetched += v.item_size(row.item) if fetches else 0
            if len(self.read) == limit:
                self.more = [True]
                break
            if self.size + self.fetched >= MAX_PAGE:
                # Whether a page that fills up with the last item looks on is not told.
                self.more = [True] if row is not rows[-1] else [True, False]
                break


class ReadingModel(Model):
    # What is asked for

    @staticmethod
    def check_select(request, bare):
        select = request.get("Select")
        paths = request.get("ProjectionExpression", request.get("AttributesToGet"))
        texts = {"ALL_ATTRIBUTES": "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES": "ALL_PROJECTED_ATTRIBUTES",
                 "COUNT": "only the Count"}
        text = None
        if select == "ALL_PROJECTED_ATTRIBUTES" and "IndexName" not in request:
            text = "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"
        if select == "SPECIFIC_ATTRIBUTES" and paths is None:
            text = "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"
        if select in texts and paths is not None:
            name = "ProjectionExpression" if "ProjectionExpression" in request else "AttributesToGet"
            text = f"Cannot specify the {name} when choosing to get {texts[select]}"
        if text:
            raise Fault(text if bare else f"1 validation error detected: {text}")

    def target(self, request):
        table = self.table(request["TableName"])
        if "IndexName" not in request:
            return table, table
        index = table.indexes.get(request["IndexName"])
        if index is None:
            raise Fault(f"The table does not have the specified index: {request['IndexName']}")
        return table, index

    @staticmethod
    def index_faults(request, table, target, paths):
        if target is table or target.local:
            return []
        faults = []
        if request.get("ConsistentRead"):
            faults.append(Fault("Consistent reads are not supported on global secondary indexes"))
        if request.get("Select") == "ALL_ATTRIBUTES" and not target.all:
            faults.append(Fault(f"{INVALID}Select type ALL_ATTRIBUTES is not supported for global secondary index "
                                f"{target.name} because its projection type is not ALL"))
        faults += [Fault(f"{INVALID}Global secondary index {target.name} does not project [{path[0]}]")
                   for path in paths or [] if not target.projects(path[0])]
        if len(faults) > 1:
            faults.append(Fault(f"{INVALID}Global secondary index {target.name} does not project {ANY}"))
        return faults

    @staticmethod
    def fetches(request, table, target, paths):
        """Whether a read of a local index goes to the table for each item."""
        if target is table or not target.local or target.all:
            return False
        if request.get("Select") == "ALL_ATTRIBUTES":
            return True
        return any(not target.projects(path[0]) for path in paths or [])

    # Order

    def rows(self, table, target):
        rows = (Row(target, table, key, item) for key, item in table.items.items())
        return [row for row in rows if row.view is not None]

    def observed(self, operation, request, table, target, expected):
        """`expected` rows in the order in which the code under test gives them, all pages together."""
        by_key = {row.key: row for row in expected}
        found, start = [], {}
        while True:
            body = self.observe(operation, {**request, **start})
            for told in body["Items"]:
                item = v.read_item(told)
                row = by_key.pop(table.key_of(item), None)
                if row is None or row.view != item:
                    raise Wrong(f"{operation} {request} has {told}")
                found.append(row)
            if "LastEvaluatedKey" not in body:
                break
            start = {"ExclusiveStartKey": body["LastEvaluatedKey"]}
        if by_key:
            raise Wrong(f"{operation} {request} lacks {[v.item_to_json(row.view) for row in by_key.values()]}")
        self.check_order(operation, request, found)
        return found

    @staticmethod
    def check_order(operation, request, rows):
        finished = set()
        for before, row in zip(rows, rows[1:]):
            if before.hash != row.hash:
                finished.add(before.hash)
                if row.hash in finished:
                    raise Wrong(f"{operation} {request} is not grouped at {v.item_to_json(row.view)}")
            elif row.order < before.order:
                raise Wrong(f"{operation} {request} is not in order at {v.item_to_json(row.view)}")

    def query_order(self, table, target, hashes):
        rows = sorted((row for row in self.rows(table, target) if row.hash == hashes), key=lambda row: row.order)
        if all(a.order != b.order for a, b in zip(rows, rows[1:])):
            return rows
        request = {"TableName": table.name, "IndexName": target.name,
                   "KeyConditionExpression": " AND ".join(f"#{i} = :{i}" for i in range(len(hashes))),
                   "ExpressionAttributeNames": {f"#{i}": name for i, name in enumerate(target.hash)},
                   "ExpressionAttributeValues": {f":{i}": v.to_json(value) for i, value in enumerate(hashes)}}
        return self.observed("Query", request, table, target, rows)

    def scan_order(self, request, table, target):
        """The rows of the request's segment."""
        total = request.get("TotalSegments", 1)
        found, own, groups = [], [], {}
        for segment in range(total):
            plain = {"TableName": table.name}
            if target is not table:
                plain["IndexName"] = target.name
            if "TotalSegments" in request:
                plain.update({"Segment": segment, "TotalSegments": total})
            rows = self.segment(plain, table, target)
            for row in rows:
                if groups.setdefault(row.hash, segment) != segment:
                    raise Wrong(f"segments {groups[row.hash]} and {segment} share {row.hash}")
            found += rows
            own = rows if segment == request.get("Segment", 0) else own
        if len(found) != len(self.rows(table, target)):
            raise Wrong(f"{total} segments hold {len(found)} rows of {len(self.rows(table, target))}")
        return own

    def segment(self, plain, table, target):
        if "TotalSegments" not in plain:
            return self.observed("Scan", plain, table, target, self.rows(table, target))
        body = {"LastEvaluatedKey": None}
        keys, start = [], {}
        while "LastEvaluatedKey" in body:
            body = self.observe("Scan", {**plain, **start})
            keys += [table.key_of(v.read_item(told)) for told in body["Items"]]
            start = {"ExclusiveStartKey": body.get("LastEvaluatedKey")}
        held = set(keys)
        rows = [row for row in self.rows(table, target) if row.key in held]
        return self.observed("Scan", plain, table, target, rows)

    # Where a page begins

    @staticmethod
    def read_start(request, table, target, operation):
        if "ExclusiveStartKey" not in request:
            return None
        start = tables.parse_key(request["ExclusiveStartKey"])
        needed = dict.fromkeys(target.keys + table.keys)
        text = START if operation == "Query" else f"{START}: {tables.NO_MATCH}"
        if set(start) != set(needed) or any(start[name][0] != table.types[name] for name in needed):
            raise Fault(text)
        one_of([fault for keyed in (table, target) for fault in tables.length_faults(keyed, start)])
        return start

    @staticmethod
    def starts(rows, start, table, target, backward):
        """The positions at which a page may begin behind `start`; `rows` are in the order of reading."""
        if start is None:
            return [0]
        key = table.key_of(start)
        for at, row in enumerate(rows):
            if row.key == key and all(row.view[name] == start[name] for name in target.keys):
                return [at + 1]
        order = tuple(v.order(start[name]) for name in target.range)
        hashes = tuple(start[name] for name in target.hash)
        group = [at for at, row in enumerate(rows) if row.hash == hashes]
        if not group:
            # Between any two hash values.
            return [at for at in range(len(rows) + 1)
                    if at in (0, len(rows)) or rows[at - 1].hash != rows[at].hash]
        before = [at for at in group if (rows[at].order > order if backward else rows[at].order < order)]
        ties = [at for at in group if rows[at].order == order]
        first = before[-1] + 1 if before else group[0]
        return list(range(first, first + len(ties) + 1))

    # Answers

    def answers(self, request, table, target, rows, starts, parts):
        condition, paths, scan = parts
        passes = (lambda view: True) if condition is None else (lambda view: run.holds(condition, view))
        answers = []
        for at in starts:
            page = Page(rows[at:], request.get("Limit"), passes, self.fetches(request, table, target, paths))
            body = {"Count": len(page.kept), "ScannedCount": len(page.read)}
            if request.get("Select") != "COUNT":
                body["Items"] = [self.shown(request, row, target, table, paths) for row in page.kept]
            for more in page.more:
                full = dict(body)
                if more:
                    last = page.read[-1].view
                    full["LastEvaluatedKey"] = {name: last[name] for name in target.keys + table.keys}
                answers += self.costed(request, table, target, page, full, (paths, scan))
        return answers

    def shown(self, request, row, target, table, paths):
        if paths is not None:
            source = row.item if target is not table and target.local else row.view
            return run.project(source, paths)
        return row.item if request.get("Select") == "ALL_ATTRIBUTES" else row.view

    def costed(self, request, table, target, page, body, parts):
        if request.get("ReturnConsumedCapacity", "NONE") == "NONE":
            return [Answer(body)]
        paths, scan = parts
        strong = request.get("ConsistentRead", False)
        base = tables.read_units(page.size, strong)
        floor = 1.0 if strong else 0.5
        # How many of the partitions a page visits is not told, but that the whole of a table is all four.
        costs = {max(base, floor * visited) for visited in range(1, PARTITIONS + 1)} if scan else {base}
        whole = not any(name in request for name in ("Limit", "ExclusiveStartKey", "Segment", "IndexName"))
        if scan and whole and "LastEvaluatedKey" not in body:
            costs = {max(base, floor * PARTITIONS)}
        answers = []
        for cost in sorted(costs):
            for fetched in self.fetched(request, table, target, page, paths):
                consumed = tables.Consumed(table)
                if target is table:
                    consumed.units = cost
                else:
                    consumed.read_index(target, cost)
                consumed.units += sum(tables.read_units(v.item_size(row.item), strong) for row in fetched)
                answers.append(Answer(self.with_capacity(dict(body), request, consumed)))
        return answers

    def fetched(self, request, table, target, page, paths):
        """The rows that are read from the table too: those that pass, or all that were read."""
        if not self.fetches(request, table, target, paths):
            return [[]]
        return [page.kept] if len(page.kept) == len(page.read) else [page.kept, page.read]

    # Operations

    def Query(self, request):
        self.check_select(request, bare=False)
        found, condition, paths = together(lambda: tables.parse_key(request.get("ExclusiveStartKey", {})),
                                           lambda: self.need_condition(request),
                                           lambda: self.query_parts(request))
        table, target = self.target(request)
        start = together(
            lambda: one_of(self.filter_faults(condition, table, target, "QueryFilter" in request)),
            lambda: one_of(self.index_faults(request, table, target, paths)),
            lambda: key_condition.check(found, target, table.types),
            lambda: self.query_start(request, table, target, found))
        hashes = tuple(found[name][1][0] for name in target.hash)
        rows = [row for row in self.query_order(table, target, hashes) if key_condition.within(found, row.view)]
        backward = request.get("ScanIndexForward") is False
        if backward:
            rows.reverse()
        starts = self.starts(rows, start, table, target, backward)
        return self.answers(request, table, target, rows, starts, (condition, paths, False))

    @staticmethod
    def need_condition(request):
        if "KeyConditionExpression" not in request and "KeyConditions" not in request:
            raise Fault("Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
                        "request.")

    @staticmethod
    def query_parts(request):
        legacy.check_not_mixed(request, ["Filter", "KeyCondition", "Projection"])
        placeholders = Placeholders(request, ["FilterExpression", "KeyConditionExpression", "ProjectionExpression"])
        faults, parts = [], []
        for kind, parse in (("Filter", Checker.condition), ("KeyCondition", None), ("Projection", Checker.projection)):
            text = request.get(f"{kind}Expression")
            try:
                if text is None:
                    parts.append(legacy.parse(request, kind))
                elif parse is None:
                    parts.append(key_condition.parse(text, placeholders))
                else:
                    parts.append(parse(Checker(kind, text, placeholders)))
            except Fault as fault:
                faults.append(fault)
        together(lambda: one_of(faults), lambda: legacy.check_operator(request, ["Filter"]))
        placeholders.check_used()
        return parts[1], parts[0], parts[2]

    @staticmethod
    def filter_faults(condition, table, target, is_legacy):
        names = set() if condition is None else top_names(condition)
        parameter = "QueryFilter" if is_legacy else "Filter Expression"
        faults = [Fault(f"{parameter} can only contain non-primary key attributes: Primary key attribute: {name}")
                  for name in names if name in target.keys]
        if target is not table:
            missing = sorted(name for name in names if not target.projects(name))
            if missing:
                faults.append(Fault(f"{INVALID}Secondary index {target.name} does not project one or more filter "
                                    f"attributes: [{', '.join(missing)}]", ANY))
        return faults

    def query_start(self, request, table, target, found):
        start = self.read_start(request, table, target, "Query")
        if start is not None and all(name in found for name in target.hash):
            self.check_start(start, found, target)
        return start

    @staticmethod
    def check_start(start, found, target):
        if any(start[name] != found[name][1][0] for name in target.hash):
            raise Fault(OUTSIDE)
        if all(name in start for name in found) and not key_condition.within(found, start):
            raise Fault(NO_PREDICATE, OUTSIDE)

    def Scan(self, request):
        self.check_segments(request)
        self.check_select(request, bare=True)
        condition, paths = together(lambda: tables.parse_key(request.get("ExclusiveStartKey", {})),
                                    lambda: self.expressions(request, ["Filter", "Projection"]))
        table, target = self.target(request)
        try:
            start = together(lambda: one_of(self.index_faults(request, table, target, paths)),
                                        lambda: self.read_start(request, table, target, "Scan"))
        except Fault as fault:
            if "ExclusiveStartKey" in request and "Segment" in request:
                raise Fault(*fault.texts, self.wrong_segment(request)) from None
            raise
        rows = self.scan_order(request, table, target)
        answers = self.answers(request, table, target, rows, self.starts(rows, start, table, target, False),
                               (condition, paths, True))
        return answers + self.other_segment(request, rows, start, target)

    def other_segment(self, request, rows, start, target):
        if start is None or "Segment" not in request:
            return []
        if any(row.hash == tuple(start[name] for name in target.hash) for row in rows):
            return []
        return [Answer(fault=Fault(self.wrong_segment(request)))]

    @staticmethod
    def wrong_segment(request):
        return (f"{START}: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. "
                f"TotalSegments: {request['TotalSegments']} Segment: {request['Segment']}")

    @staticmethod
    def check_segments(request):
        segment, total = request.get("Segment"), request.get("TotalSegments")
        if segment is not None and total is None:
            raise Fault("The TotalSegments parameter is required but was not present in the request when Segment "
                        "parameter is present")
        if total is not None and segment is None:
            raise Fault("The Segment parameter is required but was not present in the request when parameter "
                        "TotalSegments is present")
        if total is not None and segment >= total:
            raise Fault("The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: "
                        f"{segment} is not less than TotalSegments: {total}")

    def BatchGetItem(self, request):
        parsed, faults = [], []
        for name, part in request["RequestItems"].items():
            try:
                parsed.append((name, part, *together(lambda: self.no_doubles(part["Keys"]),
                                                                lambda: self.parse_keys(part))))
            except Fault as fault:
                faults.append(fault)
        one_of(faults)
        # An item that is named twice in two spellings comes once; whether it costs once is not told.
        return [Answer(self.get_batches(request, parsed, once)) for once in (True, False)]

    def get_batches(self, request, parsed, once):
        responses, capacities = {}, []
        for name, part, keys, paths in parsed:
            responses[name], consumed = self.get_batch(part, self.placed(name, keys, once), paths)
            capacities.append(consumed.answer(request.get("ReturnConsumedCapacity")))
        body = {"Responses": responses, "UnprocessedKeys": {}}
        if capacities[0] is not None:
            body["ConsumedCapacity"] = capacities
        return body

    def placed(self, name, keys, once):
        table = self.table(name)
        found = [table.check_key(key) for key in keys]
        return table, list(dict.fromkeys(found)) if once else found

    @staticmethod
    def no_doubles(keys):
        # As they are sent: `1000` and `1e3` are two.
        if len({json.dumps(key, sort_keys=True) for key in keys}) < len(keys):
            raise Fault(tables.DUPLICATE_KEYS)

    def parse_keys(self, part):
        found = []
        paths = together(lambda: found.extend(tables.parse_key(key) for key in part["Keys"]),
                                    lambda: self.expressions(part, ["Projection"])[0])
        return found, paths

    @staticmethod
    def get_batch(part, placed, paths):
        table, keys = placed
        consumed, items = tables.Consumed(table), {}
        for key in keys:
            item = table.items.get(key)
            consumed.units += tables.read_units(tables.size_of(item), part.get("ConsistentRead"))
            if item is not None:
                items[key] = item if paths is None else run.project(item, paths)
        return list(items.values()), consumed


def top_names(node):
    """The top-level attributes that a checked condition names."""
    if node[0] == "path":
        return {node[1][0]}
    parts = [part for part in node[1:] if isinstance(part, (tuple, list))]
    if node[0] == "value":
        return set()
    names = set()
    for part in parts:
        for each in part if isinstance(part, list) else [part]:
            names |= top_names(each)
    return names
