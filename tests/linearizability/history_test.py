#!/usr/bin/env python3
"""Many clients on few keys, while the server is killed: the history must be linearizable. Usage:

    history_test.py [--kills 4] [--clients 8] [--seconds 0.6] [--seed N] [--plant FAULT]

Each life of the server lasts some such time. --plant puts a fault between the clients and the server,
and passes when the checker notices: a stale read, a lost update, a double increment, a transaction that
forgets its token, or a torn read.
"""

import argparse
import functools
import pathlib
import random
import sys
import threading
import time

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[1] / "crash"))

from checker import INFINITY, Operation, Undecided, explain
from ordna_server import Refused, ScratchDir, Server, Unknown

TABLE = "History"
PAIRS = 2     # objects of two registers, which transactions read and write as one
COUNTERS = 1  # objects of one register, for increments
CREATE_TABLE = {
    "TableName": TABLE, "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "object", "AttributeType": "S"},
                             {"AttributeName": "register", "AttributeType": "N"}],
    "KeySchema": [{"AttributeName": "object", "KeyType": "HASH"},
                  {"AttributeName": "register", "KeyType": "RANGE"}],
}
NAMES = {"#v": "value"}
RARE = 0.05  # how often a planted fault strikes
MIN_STRIKES = 15
PATIENCE_SECONDS = 30.0


def key_of(name, at):
    return {"object": {"S": name}, "register": {"N": str(at)}}


def wire(value):
    return {"N": str(value)}


def value_of(item):
    return int(item["value"]["N"]) if item and "value" in item else None


def condition_on(expected):
    if expected is None:
        return {"ConditionExpression": "attribute_not_exists(#v)", "ExpressionAttributeNames": NAMES}
    return {"ConditionExpression": "#v = :e", "ExpressionAttributeNames": NAMES,
            "ExpressionAttributeValues": {":e": wire(expected)}}


# --- Operations of checker.py as requests, and answers as results -------------------------------

def send_read(client, name, at):
    answer = client.call("GetItem", {"TableName": TABLE, "Key": key_of(name, at), "ConsistentRead": True})
    return "is", value_of(answer.get("Item"))


def put(name, at, value):
    return {"TableName": TABLE, "Item": {**key_of(name, at), "value": wire(value)}}


def send_write(client, name, at, value):
    answer = client.call("PutItem", {**put(name, at, value), "ReturnValues": "ALL_OLD"})
    return "was", value_of(answer.get("Attributes"))


def send_delete(client, name, at, _):
    answer = client.call("DeleteItem", {"TableName": TABLE, "Key": key_of(name, at), "ReturnValues": "ALL_OLD"})
    return "was", value_of(answer.get("Attributes"))


def send_write_if(client, name, at, expected, value):
    try:
        client.call("PutItem", {**put(name, at, value), **condition_on(expected)})
    except Refused as refused:
        return refusal(refused, "ConditionalCheckFailedException")
    return ("done",)


def send_add(client, name, at, amount):
    answer = client.call("UpdateItem", {
        "TableName": TABLE, "Key": key_of(name, at), "UpdateExpression": "ADD #v :n",
        "ExpressionAttributeNames": NAMES, "ExpressionAttributeValues": {":n": wire(amount)},
        "ReturnValues": "UPDATED_NEW"})
    return "is", value_of(answer["Attributes"])


def send_count(client, name, at, amount, token):
    """With a token: asked for again after a crash, it counts once."""
    update = {"TableName": TABLE, "Key": key_of(name, at), "UpdateExpression": "ADD #v :n",
              "ExpressionAttributeNames": NAMES, "ExpressionAttributeValues": {":n": wire(amount)}}
    client.call("TransactWriteItems", {"ClientRequestToken": token, "TransactItems": [{"Update": update}]})
    return ("done",)


def send_read_all(client, name):
    gets = [{"Get": {"TableName": TABLE, "Key": key_of(name, at)}} for at in range(2)]
    found = client.call("TransactGetItems", {"TransactItems": gets})["Responses"]
    return ("is", *(value_of(entry.get("Item")) for entry in found))


def send_query(client, name):
    """A query of one partition reads its items as of one moment, too."""
    answer = client.call("Query", {
        "TableName": TABLE, "ConsistentRead": True, "KeyConditionExpression": "#o = :o",
        "ExpressionAttributeNames": {"#o": "object"}, "ExpressionAttributeValues": {":o": {"S": name}}})
    found = {int(item["register"]["N"]): value_of(item) for item in answer["Items"]}
    return "is", found.get(0), found.get(1)


def send_write_all(client, name, *values):
    return transact(client, [{"Put": put(name, at, value)} for at, value in enumerate(values)])


def send_write_all_if(client, name, at, expected, *values):
    puts = [{"Put": put(name, other, value)} for other, value in enumerate(values)]
    puts[at]["Put"].update(condition_on(expected))
    return transact(client, puts)


def transact(client, entries):
    try:
        client.call("TransactWriteItems", {"TransactItems": entries})
    except Refused as refused:
        return refusal(refused, "TransactionCanceledException")
    return ("done",)


def refusal(refused, expected):
    if refused.kind != expected:
        raise refused
    return ("refused",)


# --- Planted faults: a layer that lies -----------------------------------------------------------

class Honest:
    def __init__(self, rng):
        self.rng = rng

    def pass_on(self, send, kind, client, name, arguments):
        return send(client, name, *arguments)


class Planted(Honest):
    """Remembers what it saw, for all clients."""

    earlier = {}
    strike_count = 0

    def strikes(self):
        struck = self.rng.random() < RARE
        Planted.strike_count += struck
        return struck


class StaleRead(Planted):
    def pass_on(self, send, kind, client, name, arguments):
        result = send(client, name, *arguments)
        if kind != "read":
            return result
        first = self.earlier.setdefault((name, arguments), result)
        return first if self.strikes() else result


class LostUpdate(Planted):
    def pass_on(self, send, kind, client, name, arguments):
        if kind == "write_if" and self.strikes():
            return ("done",)
        return send(client, name, *arguments)


class DoubleIncrement(Planted):
    def pass_on(self, send, kind, client, name, arguments):
        if kind == "add" and self.strikes():
            send(client, name, *arguments)
        return send(client, name, *arguments)


class ForgottenToken(Planted):
    def pass_on(self, send, kind, client, name, arguments):
        if kind == "count" and self.strikes():
            send_add(client, name, *arguments)
        return send(client, name, *arguments)


class TornRead(Planted):
    def pass_on(self, send, kind, client, name, arguments):
        if kind != "read_all":
            return send(client, name, *arguments)
        Planted.strike_count += 1
        first = send_read(client, name, 0)[1]
        time.sleep(0.005)
        return "is", first, send_read(client, name, 1)[1]


PLANTS = {"stale-read": StaleRead, "lost-update": LostUpdate, "double-increment": DoubleIncrement,
          "forgotten-token": ForgottenToken, "torn-read": TornRead}


# --- Clients ------------------------------------------------------------------------------------

class Asker:
    """One client: chooses operations, and notes what came of them."""

    def __init__(self, number, seed, layer):
        self.number = number
        self.rng = random.Random(f"{seed}/{number}")
        self.layer = layer(self.rng)
        self.histories = {}  # of each object
        self.seq = 0
        self.last_seen = {}
        self.unfinished = None  # asked for again until it is answered: what send needs, and the operation
        self.fault = None

    def fresh(self):
        """A value that nobody else writes."""
        self.seq += 1
        return self.number * 1_000_000 + self.seq

    def choose(self):
        number = self.rng.randrange(PAIRS + COUNTERS)
        if number >= PAIRS:
            send = functools.partial(send_count, token=f"token {self.number} {self.fresh()}")
            return f"counter {number}", *self.rng.choice(
                ((send_add, "add", (0, 1)), (send_add, "add", (0, 3)), (send_read, "read", (0,)),
                 (send, "count", (0, 2)), (send, "count", (0, 5))))
        name, at = f"pair {number}", self.rng.randrange(2)
        seen = self.last_seen.get((name, at))
        return name, *self.rng.choice((
            (send_read, "read", (at,)), (send_write, "write", (at, self.fresh())),
            (send_delete, "write", (at, None)),
            (send_write_if, "write_if", (at, seen, self.fresh())),
            (send_read_all, "read_all", ()), (send_query, "read_all", ()),
            (send_write_all, "write_all", (self.fresh(), self.fresh())),
            (send_write_all_if, "write_all_if", (at, seen, self.fresh(), self.fresh()))))

    def step(self, client):
        name, send, kind, arguments = self.choose()
        operation = Operation(kind, arguments, None, time.monotonic_ns(), INFINITY, self.number)
        self.histories.setdefault(name, []).append(operation)
        self.unfinished = (send, name, operation) if kind == "count" else None
        operation.result = self.layer.pass_on(send, kind, client, name, arguments)
        operation.returned = time.monotonic_ns()
        self.unfinished = None
        self.notice(name, operation)

    def finish(self, client):
        if self.unfinished is None:
            return
        send, name, operation = self.unfinished
        operation.result = self.layer.pass_on(send, operation.kind, client, name, operation.arguments)
        operation.returned = time.monotonic_ns()
        self.unfinished = None

    def notice(self, name, operation):
        if operation.kind == "read":
            self.last_seen[name, operation.arguments[0]] = operation.result[1]
        elif operation.kind == "read_all":
            self.last_seen[name, 0], self.last_seen[name, 1] = operation.result[1:]

    def work(self, server):
        client = server.client()
        try:
            self.finish(client)
            while True:
                self.step(client)
        except Unknown:
            pass
        except Refused as refused:
            self.fault = str(refused)
        finally:
            client.close()


def end_unanswered(askers, moment):
    """From the death of the server on, what it did not answer can have no effect any more, unless it is
    asked for again."""
    for asker in askers:
        asked_again = asker.unfinished and asker.unfinished[-1]
        for history in asker.histories.values():
            for operation in history:
                if operation.result is None and operation is not asked_again:
                    operation.returned = min(operation.returned, moment)


def wait_for_strikes():
    deadline = time.monotonic() + PATIENCE_SECONDS
    while Planted.strike_count < MIN_STRIKES and time.monotonic() < deadline:
        time.sleep(0.02)


def live_and_die(server, askers, seconds, is_planted):
    threads = [threading.Thread(target=asker.work, args=(server,)) for asker in askers]
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    if is_planted:
        wait_for_strikes()
    server.kill()
    moment = time.monotonic_ns()
    for thread in threads:
        thread.join()
    end_unanswered(askers, moment)


def read_in_the_end(server, asker):
    client = server.client()
    for number in range(PAIRS + COUNTERS):
        kind = "pair" if number < PAIRS else "counter"
        for at in range(2 if number < PAIRS else 1):
            name = f"{kind} {number}"
            operation = Operation("read", (at,), None, time.monotonic_ns(), INFINITY, "last")
            operation.result = send_read(client, name, at)
            operation.returned = time.monotonic_ns()
            asker.histories.setdefault(name, []).append(operation)
    client.close()


def record(data, options):
    rng = random.Random(options.seed)
    server = Server(data)
    layer = PLANTS.get(options.plant, Honest)
    askers = [Asker(number, options.seed, layer) for number in range(1, options.clients + 1)]
    server.start()
    server.client().call("CreateTable", CREATE_TABLE)
    for _ in range(options.kills):
        live_and_die(server, askers, rng.uniform(0.3, 1.0) * options.seconds, bool(options.plant))
        server.start()
    for asker in askers:
        asker.finish(server.client())
    read_in_the_end(server, askers[0])
    server.stop()
    return askers


def judge(askers):
    faults = [asker.fault for asker in askers if asker.fault]
    names = sorted({name for asker in askers for name in asker.histories})
    count = unanswered = 0
    for name in names:
        history = [operation for asker in askers for operation in asker.histories.get(name, [])]
        count += len(history)
        unanswered += sum(operation.result is None for operation in history)
        registers = 2 if name.startswith("pair") else 1
        try:
            fault = explain(history, registers)
        except Undecided as undecided:
            fault = str(undecided)
        faults += [f"{name}: {fault}"] if fault else []
    print(f"{count} operations on {len(names)} objects, {unanswered} unanswered")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=4)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=0.6)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--plant", choices=sorted(PLANTS))
    options = parser.parse_args()
    with ScratchDir("history") as data:
        faults = judge(record(data, options))
    print(f"seed {options.seed}")
    print("".join(fault + "\n" for fault in faults), end="")
    good = bool(faults) == bool(options.plant)
    print("1 passed, 0 failed" if good else "0 passed, 1 failed")
    return 0 if good else 1


sys.exit(main())
