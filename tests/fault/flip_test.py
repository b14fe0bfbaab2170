#!/usr/bin/env python3
"""Flips one bit in a file of the data directory: damage is reported, and never served.

Either the server refuses to start and says why, or what it cannot read is an error; whatever it does
answer is right and whole. Usage:

    flip_test.py [--flips 10] [--seed N]

Each kind of file gets so many flips. --negative-control loses the log altogether, without a word from
the server: it passes when the loss is noticed.
"""

import argparse
import pathlib
import random
import re
import shutil
import sys

import faults  # finds the modules of tests/crash

from ledger import (CREATE_TABLE, INDEXES, TABLE, canonical, index_row, key_of, scan, wire_key)
from ordna_server import Refused, ScratchDir, Server, StartFailed, Unknown
from writers import Writer

SEED = 3
STEPS = 150

KINDS = {
    "sorted file": r"\d+\.sst",
    "log": r"\d+\.log",
    "manifest": r"MANIFEST-\d+",
    "name of the manifest": r"CURRENT",
    "format": r"FORMAT",
}


def fill(data):
    """Half of the writes are in a sorted file, half in the log. Returns what must be there."""
    writer = Writer(0, SEED)
    server = Server(data)
    for turn in range(2):
        client = server.start().client()
        if turn == 0:
            client.call("CreateTable", CREATE_TABLE)
        for _ in range(STEPS):
            writer.step(client)
        client.close()
        if turn == 0:
            server.stop()
    server.kill()
    return writer.ledger.certain


def find_file(data, pattern, rng):
    found = [path for path in sorted(pathlib.Path(data).rglob("*"))
             if re.fullmatch(pattern, path.name) and path.stat().st_size > 0]
    return rng.choice(found)


def flip(path, rng):
    at, bit = rng.randrange(path.stat().st_size), rng.randrange(8)
    with open(path, "r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ 1 << bit]))
    return f"bit {bit} of byte {at} of {path.stat().st_size} of {path.name}"


class Damaged:
    """A server on damaged data: what it answers must be right, or an error."""

    def __init__(self, data, certain):
        self.certain = certain
        self.server = Server(data)
        self.found = []
        self.reported = 0

    def run(self):
        try:
            self.server.start()
        except StartFailed as fault:
            self.reported += 1
            if "ordna: " not in str(fault):
                self.found.append(f"it did not start, and did not say why: {fault}")
            return
        self.look()
        self.server.kill()

    def look(self):
        client = self.server.client()
        for key, item in sorted(self.certain.items()):
            self.ask(f"{key}", lambda key=key, item=item: self.get(client, key, item))
        self.ask("a scan", lambda: self.scan(client))
        for name in INDEXES:
            self.ask(name, lambda name=name: self.scan_index(client, name))

    def ask(self, what, question):
        try:
            right = question()
        except (Unknown, Refused) as fault:
            self.reported += 1
            if "InternalServerError" not in str(fault):
                self.found.append(f"{what}: {fault}")
        else:
            if not right:
                self.found.append(f"{what}: the answer is not what was stored")

    @staticmethod
    def get(client, key, item):
        request = {"TableName": TABLE, "Key": wire_key(key), "ConsistentRead": True}
        return client.call("GetItem", request).get("Item") == item

    def scan(self, client):
        return {key_of(item): item for item in scan(client)} == self.certain

    def scan_index(self, client, name):
        rows = [row for item in self.certain.values() if (row := index_row(name, item))]
        return canonical(scan(client, IndexName=name)) == canonical(rows)


class Runner:

    def __init__(self, scratch, options):
        self.rng = random.Random(options.seed)
        self.whole = f"{scratch}/whole"
        self.data = f"{scratch}/data"
        self.certain = fill(self.whole)
        self.options = options
        self.passed = self.failed = self.reported = 0

    def trial(self, kind, pattern):
        shutil.rmtree(self.data, ignore_errors=True)
        shutil.copytree(self.whole, self.data)
        where = flip(find_file(self.data, pattern, self.rng), self.rng)
        damaged = Damaged(self.data, self.certain)
        damaged.run()
        self.reported += bool(damaged.reported)
        self.passed += not damaged.found
        self.failed += bool(damaged.found)
        if damaged.found:
            print(f"{kind}, {where}:\n    " + "\n    ".join(damaged.found[:3])
                  + f"\n    {len(damaged.found)} faults; the log: {damaged.server.errors()[-300:]}", flush=True)

    def run(self):
        for kind, pattern in KINDS.items():
            for _ in range(self.options.flips):
                self.trial(kind, pattern)
        print(f"{self.reported} flips were reported, the others changed nothing; seed {self.options.seed}")
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed or self.reported == 0 else 0


def run_negative_control(scratch):
    data = f"{scratch}/data"
    certain = fill(data)
    find_file(data, KINDS["log"], random.Random(0)).unlink()
    damaged = Damaged(data, certain)
    damaged.run()
    print("1 passed, 0 failed" if damaged.found else "the loss was not noticed\n0 passed, 1 failed")
    return 0 if damaged.found else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--flips", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--negative-control", action="store_true")
    options = parser.parse_args()
    with ScratchDir("flip") as scratch:
        if options.negative_control:
            return run_negative_control(scratch)
        return Runner(scratch, options).run()


sys.exit(main())
