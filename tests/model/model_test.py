#!/usr/bin/env python3
"""Random operations against the library, each answer held against a model.

    model_test.py --driver build/tests/model/model_driver --store memory --count 100000

The seed is printed; the same seed and count run the same operations. At the first wrong answer it prints the
fewest operations that still show it, what was answered, and what the model allows.
"""

import argparse
import collections
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time

import compare
from break_requests import Breaker
from generate import WEIGHTS, Requests
from reads import Wrong
from transactions import FullModel
from values import Fault

EPISODE = 1500
# Every so many episodes one of large items, which is shorter.
LARGE_EVERY, LARGE_EPISODE = 3, 200
TABLES = 2
MAX_REPLAYS = 300


def is_large(episode):
    return episode % LARGE_EVERY == 1


class Driver:
    """The process that runs the library."""

    def __init__(self, program, store):
        self.folder = tempfile.mkdtemp(prefix="ordna-model-") if store == "rocksdb" else None
        command = [program, store] + ([self.folder] if self.folder else [])
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def call(self, operation, request):
        line = f"{operation} {json.dumps(request, ensure_ascii=False)}\n".encode("utf-8")
        self.process.stdin.write(line)
        self.process.stdin.flush()
        status, _, body = self.process.stdout.readline().decode().partition(" ")
        if not status:
            raise SystemExit(f"the driver ended at {operation} {line.decode()}")
        return int(status), body

    def close(self):
        self.process.stdin.close()
        code = self.process.wait()
        if self.folder:
            shutil.rmtree(self.folder)
        return code


class Mismatch(Exception):
    pass


class Session:
    """The library and the model, side by side, over fresh tables."""

    def __init__(self, driver, schemas):
        self.driver, self.schemas = driver, schemas
        self.model = FullModel(self.observe)
        for schema in schemas:
            self.must("CreateTable", schema)
            self.model.create(schema)

    def must(self, operation, request):
        status, body = self.driver.call(operation, request)
        if status != 200:
            raise SystemExit(f"{operation} {json.dumps(request)}: {body}")
        return body

    def observe(self, operation, request):
        status, body = self.driver.call(operation, request)
        if status != 200:
            raise Wrong(f"{operation} {request} answers {body}")
        return json.loads(body)

    def step(self, operation, request):
        """Runs one operation on both; gives the library's answer, and the model's."""
        reads = operation in ("Query", "Scan")
        try:
            answers = self.model.call(operation, request)
        except Wrong as wrong:
            raise Mismatch(f"{operation} {json.dumps(request, ensure_ascii=False)}\n{wrong}") from None
        status, body = self.driver.call(operation, request)
        try:
            right = compare.fits(operation, status, body, answers)
        except (AssertionError, Fault, KeyError, TypeError) as error:
            right, body = False, f"{body.rstrip()} ({error!r})"
        if not right:
            raise Mismatch(f"{operation} {json.dumps(request, ensure_ascii=False)}\nanswered {status}\n  "
                           f"{body.rstrip()}\nthe model allows\n  {compare.show(answers)}")
        if operation == "UpdateTable":
            self.wait(request["TableName"])
        return status, json.loads(body) if reads else None

    def wait(self, name):
        """Until no index of a table comes or goes."""
        while True:
            table = json.loads(self.must("DescribeTable", {"TableName": name}))["Table"]
            states = [index["IndexStatus"] for index in table.get("GlobalSecondaryIndexes", [])]
            if set(states + [table["TableStatus"]]) == {"ACTIVE"}:
                return

    def close(self):
        for schema in self.schemas:
            self.must("DeleteTable", {"TableName": schema["TableName"]})


def replay(options, schemas, steps):
    """The mismatch that steps lead to, or None."""
    driver = Driver(options.driver, options.store)
    session = Session(driver, schemas)
    try:
        for operation, request in steps:
            session.step(operation, request)
        return None
    except Mismatch as mismatch:
        return str(mismatch)
    finally:
        driver.close()


def shrink(options, schemas, steps):
    """Leaves out what is not needed for a mismatch at the last step."""
    steps, last, replays = steps[:-1], steps[-1], 0
    size = max(len(steps) // 2, 1)
    while steps and replays < MAX_REPLAYS:
        at, shorter = 0, False
        while at < len(steps) and replays < MAX_REPLAYS:
            fewer = steps[:at] + steps[at + size:]
            replays += 1
            if replay(options, schemas, fewer + [last]) is not None:
                steps, shorter = fewer, True
            else:
                at += size
        if size == 1 and not shorter:
            break
        size = max(size // 2, 1)
    return steps + [last]


def report(options, schemas, steps):
    if replay(options, schemas, steps) is None:
        print("(the mismatch does not come back when the steps are repeated)")
        return
    steps = shrink(options, schemas, steps)
    print("\nthe fewest steps:\n")
    for schema in schemas:
        if any(schema["TableName"] in json.dumps(request) for _, request in steps):
            print("CreateTable", json.dumps(schema))
    for operation, request in steps:
        print(operation, json.dumps(request, ensure_ascii=False))
    print()
    print(replay(options, schemas, steps))


def supported(driver):
    """The operations that the library knows."""
    return [name for name in WEIGHTS if "UnknownOperation" not in driver.call(name, {})[1]]


class Run:
    def __init__(self, options):
        self.options, self.random = options, random.Random(options.seed)
        self.driver = Driver(options.driver, options.store)
        self.operations = supported(self.driver)
        self.counts, self.done, self.wrong = collections.Counter(), 0, 0

    def episode(self, number, length):
        """Fresh tables and `length` operations; False after a mismatch."""
        maker = Requests(self.random, None, self.operations)
        schemas = [maker.values.schema(f"T{number}-{at}") for at in range(TABLES)]
        session = Session(self.driver, schemas)
        maker.model = session.model
        maker.values.large = is_large(number)
        breaker, steps = Breaker(self.random), []
        ready = list(maker.grow()) if maker.values.large else []
        for _ in range(length):
            operation, request = ready.pop() if ready else maker.draw()
            if self.random.random() < self.options.invalid:
                operation, request = breaker.spoil(operation, request)
            steps.append((operation, request))
            try:
                status, body = session.step(operation, request)
            except Mismatch as mismatch:
                print(f"\nseed {self.options.seed}, operation {self.done}: {mismatch}", flush=True)
                if not self.options.no_shrink:
                    report(self.options, schemas, steps)
                return False
            self.count(operation, status)
            if body and "LastEvaluatedKey" in body:
                maker.went_on(operation, request, body["LastEvaluatedKey"])
        session.close()
        return True

    def count(self, operation, status):
        self.done += 1
        self.counts[operation, status] += 1

    def run(self):
        number, left = 0, self.options.count
        while left > 0:
            length = min(left, LARGE_EPISODE if is_large(number) else EPISODE)
            if not self.episode(number, length):
                self.wrong += 1
                if self.wrong >= self.options.mismatches:
                    break
            number, left = number + 1, left - length
        return self.driver.close() or self.wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--driver", required=True, help="the program tests/model/model_driver of a build")
    parser.add_argument("--store", default="memory", choices=("memory", "rocksdb"))
    parser.add_argument("--count", type=int, default=10000, help="operations (10000)")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--invalid", type=float, default=0.12, help="share of requests that are broken (0.12)")
    parser.add_argument("--mismatches", type=int, default=1, help="stop after so many (1)")
    parser.add_argument("--no-shrink", action="store_true", help="do not look for the fewest steps")
    options = parser.parse_args()
    print(f"seed {options.seed}, store {options.store}", flush=True)
    started = time.monotonic()
    run = Run(options)
    failed = run.run()
    for (operation, status), count in sorted(run.counts.items()):
        print(f"{operation:20} {status} {count:8}")
    print(f"{run.done} operations in {time.monotonic() - started:.0f} s: {'WRONG' if failed else 'all as the model has them'}")
    return 1 if failed else 0


sys.exit(main())
