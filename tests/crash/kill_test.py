#!/usr/bin/env python3
"""Kills the server with SIGKILL under load, again and again, and looks for every acknowledged write.

Each round: start, look at everything, load, kill at a random moment. Usage:

    kill_test.py [--kills 300] [--seed N] [--durability sync|relaxed] [--writers 8]

--negative-control runs against the memory store, which forgets: it passes when that is noticed.
"""

import argparse
import random
import sys
import time

from ledger import CREATE_TABLE, TABLE, check_all
from late_index import LateIndex
from ordna_server import Refused, ScratchDir, Server, StartFailed, Unknown, seconds_in_line
from writers import Everyone, Load, Writer

MAX_ANSWER_SECONDS = 1.0
LOAD_SECONDS = (0.05, 0.8)
STILLBORN_SECONDS = (0.0, 0.06)
MAX_FAULTS_SHOWN = 10


class Drill:
    """One data directory, its writers, and what was found."""

    def __init__(self, options, data):
        self.rng = random.Random(options.seed)
        self.server = Server(data, "--store", options.store, "--durability", options.durability)
        self.options = options
        self.writers = []
        self.late = LateIndex()
        self.faults = []
        self.kills = 0
        self.slowest = 0.0

    # --- One round ------------------------------------------------------------------------------

    def start(self):
        """Starts the server, sometimes after killing it while it starts."""
        while self.kills > 0 and self.rng.random() < 0.25:
            self.server.spawn()
            time.sleep(self.rng.uniform(*STILLBORN_SECONDS))
            self.server.kill()
            self.kills += 1
        begin, in_line = time.monotonic(), seconds_in_line("thread-self")
        self.server.start()
        client = self.server.client()
        client.call("ListTables", {})
        # On a machine that others use too, waiting for them is not the server's fault.
        in_line = seconds_in_line("thread-self") - in_line + seconds_in_line(self.server.process.pid)
        took = time.monotonic() - begin - in_line
        self.slowest = max(self.slowest, took)
        if took > self.options.answer_seconds:
            self.faults.append(f"the first answer came {took:.2f} s after the start")
        return client

    def prepare(self):
        client = self.start()
        client.call("CreateTable", CREATE_TABLE)
        self.writers = [Writer(number, self.options.seed) for number in range(self.options.writers)]
        client.close()

    def load_and_kill(self):
        with Load(self.writers, self.server):
            rest = self.rng.uniform(*LOAD_SECONDS)
            if self.rng.random() < 0.5:
                time.sleep(rest * 0.8)
                self.late.change(self.server)
                rest = self.rng.uniform(0.0, 0.02)
            time.sleep(rest)
            alive = self.server.is_running()
            self.server.kill()
        self.kills += 1
        if not alive:
            self.faults.append(f"the server ended by itself: {self.server.errors()}")

    def look(self):
        client = self.start()
        everyone = Everyone(self.writers)
        whole = everyone.joined()
        self.faults += check_all(client, whole, self.rng)
        everyone.settle(whole)
        self.faults += self.late.check(client)
        client.close()
        for writer in self.writers:
            self.faults += writer.faults

    # --- All rounds -----------------------------------------------------------------------------

    def run(self):
        self.prepare()
        while self.kills < self.options.kills and not self.faults:
            self.load_and_kill()
            self.look()
        if self.server.stop() != 0:
            self.faults.append("the last stop was not clean")
        if not self.faults:
            self.look()
            self.server.stop()

    def total(self, name):
        return sum(getattr(writer, name) for writer in self.writers)

    def check_load(self):
        """A drill without load, or whose kills never met a write, has shown nothing."""
        if self.total("acknowledged") < 20 * self.kills or self.total("unknown") < self.kills:
            self.faults.append("there was too little load for the kills to mean anything")


def run(options):
    with ScratchDir("kill") as data:
        drill = Drill(options, data)
        try:
            drill.run()
            drill.check_load()
        except (Refused, Unknown, StartFailed) as fault:
            drill.faults.append(f"{type(fault).__name__}: {fault}")
            if drill.server.process.poll() is None:
                drill.server.kill()
        print(f"{drill.kills} kills, {drill.total('acknowledged')} writes acknowledged, "
              f"{drill.total('refused')} refused, {drill.total('unknown')} unanswered, "
              f"{drill.late.changes} times an index added or taken away; "
              f"slowest first answer {drill.slowest * 1000:.0f} ms; seed {options.seed}")
        if drill.faults and not options.negative_control:
            raise SystemExit(report(drill.faults))
        return drill.faults


def report(faults):
    shown = "\n".join(faults[:MAX_FAULTS_SHOWN])
    print(f"{shown}\n{len(faults)} faults\n0 passed, 1 failed")
    return 1


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--durability", choices=("sync", "relaxed"), default="sync")
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--store", default="rocksdb")
    parser.add_argument("--answer-seconds", type=float, default=MAX_ANSWER_SECONDS)
    parser.add_argument("--negative-control", action="store_true")
    options = parser.parse_args()
    if options.negative_control:
        options.store = "memory"
    return options


def main():
    options = parse_options()
    faults = run(options)
    if not options.negative_control:
        print("1 passed, 0 failed")
        return 0
    noticed = any(TABLE in fault or "ResourceNotFound" in fault for fault in faults)
    print("1 passed, 0 failed" if noticed else "the loss was not noticed\n0 passed, 1 failed")
    return 0 if noticed else 1


sys.exit(main())
