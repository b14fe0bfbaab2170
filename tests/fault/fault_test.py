#!/usr/bin/env python3
"""Makes each file system call of the server fail in turn: a client gets an error or a true success.

For each kind of call, each way to fail and each number n: the n-th call fails (once, or from then on),
from the server's start over a fixed series of writes and reads to its stop. Whatever was acknowledged
must be there afterwards, on the running server and after a restart; whatever was refused may not. Usage:

    fault_test.py [--all | --sample N] [CALL...]

Without --all, N numbers n of each kind are tried.

--negative-control makes writes to the log do nothing and claim to have worked: it passes when the loss
is noticed.
"""

import argparse
import errno
import random
import shutil
import sys
import time

from faults import FOREVER, Faults, library
from side_tables import SideTables

from ledger import CREATE_TABLE, check_held, look
from ordna_server import (Refused, ScratchDir, Server, StartFailed, Unknown, preload_environment)
from writers import Everyone, Writer

STEPS = 24
HOT_SLOTS = 2  # few, so that writes meet what a failed write may have left
SEED = 5
RECOVERY_SECONDS = 5.0

# The kind of call, how it fails, with what error, and whether a client must not notice at all.
CASES = [
    ("open", "fail", errno.EIO, False),
    ("open", "fail", errno.EMFILE, False),
    ("open", "fail", errno.ENOSPC, False),
    ("write", "fail", errno.EIO, False),
    ("write", "fail", errno.ENOSPC, False),
    ("write", "fail, half done", errno.ENOSPC, False),
    ("write", "fail, half done", errno.EIO, False),
    ("write", "fail, done", errno.EIO, False),
    ("write", "short", 0, True),
    ("sync", "fail", errno.EIO, False),
    ("sync", "fail", errno.ENOSPC, False),
    ("sync", "fail, done", errno.EIO, False),
    ("rename", "fail", errno.EIO, False),
    ("rename", "fail", errno.ENOSPC, False),
    ("rename", "fail, done", errno.EIO, False),
    ("allocate", "fail", errno.ENOSPC, True),
    ("truncate", "fail", errno.EIO, False),
    ("unlink", "fail", errno.EIO, False),
    ("mkdir", "fail", errno.ENOSPC, False),
    ("read", "fail", errno.EIO, False),
    ("read", "short", 0, True),
]


class Template:
    """A data directory with something in its files, and the ledger of what that is."""

    def __init__(self, path, empty):
        self.path = path
        self.empty = empty
        self.certain = {}
        if not empty:
            self.fill()

    def fill(self):
        server = Server(self.path).start()
        client = server.client()
        client.call("CreateTable", CREATE_TABLE)
        writer = Writer(0, SEED)
        for part in range(2):
            for _ in range(60):
                writer.step(client)
            if part == 0:  # what came before it is in a sorted file, what comes after in the log
                server.stop()
                server.start()
                client = server.client()
        self.certain = writer.ledger.certain
        server.kill()

    def copy_to(self, path):
        shutil.rmtree(path, ignore_errors=True)
        if not self.empty:
            shutil.copytree(self.path, path)


class Trial:
    """One run under one fault."""

    def __init__(self, data, template, faults):
        template.copy_to(data)
        self.data = data
        self.template = template
        self.faults = faults
        environment = {**faults.environment(), **preload_environment(library("io_fault"))}
        self.server = Server(data, environment=environment)
        self.writer = Writer(1, SEED, slots=HOT_SLOTS)
        self.tables = SideTables()
        self.others = dict(template.certain)
        self.table_exists = not template.empty
        self.found = []
        self.errors = 0

    def ledger(self):
        whole = Everyone([self.writer]).joined()
        whole.certain.update(self.others)
        return whole

    def run(self, kill):
        try:
            self.server.start()
        except StartFailed as fault:
            self.errors += 1
            if "ordna: " not in str(fault) and "exit code 1:" not in str(fault):
                self.found.append(f"the start failed without a word of why: {fault}")
        else:
            self.work()
            self.recover()
            if kill:
                self.server.kill()
            else:
                self.stop()
        self.faults.disarm()
        self.check_after_restart()

    def stop(self):
        if not self.server.is_running():
            self.found.append(f"the server ended by itself: {self.server.errors()[-300:]}")
        code = self.server.stop()
        if code != 0:
            self.found.append(f"the server ended with {code}: {self.server.errors()[-600:]}")

    def work(self):
        client = self.server.client()
        self.create_table(client)
        for turn in range(STEPS):
            step = self.tables.step if turn % 4 == 2 else self.writer.step
            try:
                step(client)
            except Unknown:
                self.errors += 1
        client.close()

    def create_table(self, client):
        if self.table_exists:
            return
        try:
            client.call("CreateTable", CREATE_TABLE)
        except Unknown:
            self.errors += 1
            self.found += self.retry_table(client)
        self.table_exists = True

    def retry_table(self, client):
        """Until it works: the fault is over after its time."""
        self.faults.disarm()
        deadline = time.monotonic() + RECOVERY_SECONDS
        while time.monotonic() < deadline:
            try:
                client.call("CreateTable", CREATE_TABLE)
                return []
            except Refused as refused:
                return [] if refused.kind == "ResourceInUseException" else [str(refused)]
            except Unknown:
                time.sleep(0.05)
        return ["no table could be made after the fault was over"]

    def recover(self):
        """Once the fault is over, writes go on without a restart, and what was promised is there."""
        if self.errors == 0:
            return
        self.faults.disarm()
        client = self.server.client()
        deadline = time.monotonic() + RECOVERY_SECONDS
        before = self.writer.acknowledged
        while self.writer.acknowledged == before and time.monotonic() < deadline:
            try:
                self.writer.put(client)
            except Unknown:
                time.sleep(0.05)
        if self.writer.acknowledged == before:
            self.found.append(f"writes did not go on after the fault: {self.server.errors()[-300:]}")
        else:
            self.look("while it runs", client)
        client.close()

    def look(self, when, client):
        whole = self.ledger()
        try:
            faults = check_held(whole, look(client))
        except (Refused, Unknown) as fault:
            faults = [f"the table cannot be read: {fault}"]
        Everyone([self.writer]).settle(whole)
        self.others = {key: item for key, item in whole.certain.items() if key in self.others}
        faults += self.tables.check(client)
        self.found += [f"{when}: {fault}" for fault in faults]

    def check_after_restart(self):
        server = Server(self.data)
        try:
            server.start()
        except StartFailed as fault:
            self.found.append(f"no start after the fault was over: {fault}")
            return
        client = server.client()
        if self.table_exists:
            self.look("after a restart", client)
        client.close()
        server.stop()
        self.found += self.writer.faults + self.tables.faults


class Runner:

    def __init__(self, scratch, options):
        self.scratch = scratch
        self.options = options
        self.templates = [Template(f"{scratch}/old", empty=False), Template(f"{scratch}/none", empty=True)]
        self.passed = 0
        self.failed = 0
        self.struck = 0

    def trial(self, template, case, first, last, kill):
        call, effect, error, silent = case
        data = f"{self.scratch}/data"
        with Faults() as faults:
            faults.arm(data, [call], effect, error, first, last)
            trial = Trial(data, template, faults)
            trial.run(kill)
            seen, struck = faults.counts()
            if silent and trial.errors:
                trial.found.append("a client got an error, and nothing was wrong that mattered")
            if trial.found:
                name = errno.errorcode.get(error, "no error")
                times = "from then on" if last == FOREVER else "once"
                print(f"{call} {effect} ({name}), number {first} {times} ({faults.struck_path()}), "
                      f"{'no data' if template.empty else 'old data'} before, "
                      f"{'killed' if kill else 'stopped'} after:\n    " + "\n    ".join(trial.found[:4]), flush=True)
        self.failed += bool(trial.found)
        self.passed += not trial.found
        self.struck += bool(struck)
        return seen, struck

    def run_case(self, template, case):
        """All numbers, or some, until one is beyond the last call."""
        seen, _ = self.trial(template, case, FOREVER, FOREVER, kill=False)
        numbers = list(range(1, seen + 1))
        if not self.options.all:
            numbers = sorted(random.Random(f"{case}").sample(numbers, min(self.options.sample, seen)))
        for turn, first in enumerate(numbers):
            for last in (first, FOREVER) if self.options.all else ((first, FOREVER)[turn % 2],):
                self.trial(template, case, first, last, kill=(first + turn) % 2 == 0)

    def run(self):
        for case in CASES:
            if self.options.calls and case[0] not in self.options.calls:
                continue
            for template in self.templates:
                self.run_case(template, case)
        print(f"{self.struck} runs met their fault")
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed or self.struck == 0 else 0


def run_negative_control(scratch):
    """A log that says it was written and was not. Killed: a clean stop would write it elsewhere."""
    template = Template(f"{scratch}/old", empty=False)
    data = f"{scratch}/data"
    with Faults() as faults:
        trial = Trial(data, template, faults)
        trial.server.start()
        faults.arm(".log", ["write"], "lie")
        trial.work()
        trial.server.kill()
        trial.check_after_restart()
        print("\n".join(trial.found[:3]))
    print("1 passed, 0 failed" if trial.found else "the loss was not noticed\n0 passed, 1 failed")
    return 0 if trial.found else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("calls", nargs="*", metavar="CALL")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--sample", type=int, default=2)
    parser.add_argument("--negative-control", action="store_true")
    options = parser.parse_args()
    with ScratchDir("fault") as scratch:
        if options.negative_control:
            return run_negative_control(scratch)
        return Runner(scratch, options).run()


sys.exit(main())
