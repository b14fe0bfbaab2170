#!/usr/bin/env python3
"""Cuts the power at many moments of one recorded run: every acknowledged write must be there.

io_trace.c writes down what the server did to its files over three lives (killed, stopped, killed).
Then, for each cut, the files are made as a disk without power could have left them, and a server is
started on them. What was acknowledged before the cut must be there, whole, in the table and its
indexes; what was not answered yet may be. With relaxed durability the last of it may be missing, but
what there is must be whole, and a beginning. Usage:

    power_test.py [--cuts 200] [--seed N] [--durability sync|relaxed] [--failing-syncs]

--failing-syncs lets a sync fail now and then meanwhile. What it should have made safe is not: not by a
later sync of the same file either, though the program can still read it.

--negative-control runs relaxed, which acknowledges before the sync, and holds it to sync's promise: it
passes when losses are noticed.
"""

import argparse
import errno
import os
import random
import shutil
import signal
import sys

import faults
from power import CLOSE, LOSSES, SYNC, WRITE, Disk, read_trace, store
from timeline import Recorder, Timeline

from ledger import Ledger, check_all, look
from ordna_server import (Refused, ScratchDir, Server, StartFailed, Unknown, preload_environment)
from writers import Writer

WRITERS = 2
STEPS = 120
FAILING_SYNCS = 5
AFTERLIFE_STEPS = 5
MAX_FAULTS_SHOWN = 10


class Run:
    """The run that is recorded: three lives of a server, with load in each."""

    def __init__(self, scratch, options):
        self.disk = f"{scratch}/disk"
        self.trace = f"{scratch}/trace"
        os.mkdir(self.disk)
        self.faults = faults.Faults()
        environment = {"ORDNA_IO_TRACE": self.trace, "ORDNA_IO_DIR": self.disk, **self.faults.environment(),
                       **preload_environment(faults.library("io_trace"), faults.library("io_fault"))}
        self.server = Server(f"{self.disk}/data", "--durability", options.durability,
                             environment=environment)
        self.recorder = Recorder(WRITERS, options.seed)
        self.failing = options.failing_syncs
        self.rng = random.Random(options.seed)

    def record(self):
        self.server.start()
        self.recorder.create_table(self.server)
        self.recorder.create_side_tables(self.server)
        self.recorder.load(self.server, STEPS, at_end=self.kill)
        self.server.start()
        self.recorder.look(self.server)
        self.load()
        self.recorder.delete_side_table(self.server)
        self.server.stop()
        self.server.start()
        self.recorder.load(self.server, STEPS, at_end=self.kill)
        return read_trace(self.trace)

    def kill(self):
        """As SIGKILL does, but for that the trace has all that was done."""
        self.server.kill(signal.SIGUSR2)

    def load(self):
        if not self.failing:
            self.recorder.load(self.server, STEPS)
            return
        for _ in range(FAILING_SYNCS):
            number = self.rng.randint(1, STEPS // FAILING_SYNCS)
            self.faults.arm("/data/db/", ["sync"], "fail", errno.EIO, first=number, last=number)
            self.recorder.load(self.server, STEPS // FAILING_SYNCS)
        self.faults.disarm()
        if self.recorder.unanswered < FAILING_SYNCS // 2:
            self.recorder.found.append("too few syncs failed to mean anything")


def check_trace(events, run):
    """The disk that follows from the trace is the one that is there, or the trace proves nothing."""
    disk = Disk(run.disk)
    for event in events:
        disk.apply(event)
    real = {}
    for folder, _, names in os.walk(run.disk):
        real[folder] = None
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                real[os.path.join(folder, name)] = file.read()
    seen = disk.seen()
    different = [path for path in sorted(real.keys() | seen.keys())
                 if os.path.basename(path) != "LOCK" and real.get(path, 0) != seen.get(path, 0)]
    return [f"the trace does not explain {path}" for path in different]


def choose_cuts(events, count, rng):
    """Half of them anywhere, half where names change or files other than the log are synced."""
    plain = (WRITE, SYNC, CLOSE)
    busy = [k for k in range(1, len(events)) if events[k].kind not in plain
            or events[k - 1].kind not in plain]
    chosen = set(rng.sample(busy, min(count // 2, len(busy))))
    rest = [k for k in range(1, len(events)) if k not in chosen]
    chosen.update(rng.sample(rest, min(count - len(chosen), len(rest))))
    return sorted(chosen)


class Cut:
    """A server on what is left after a cut."""

    def __init__(self, scratch, rng, durability, must_have_all):
        self.data = f"{scratch}/cut"
        self.rng = rng
        self.durability = durability
        self.must_have_all = must_have_all
        self.faults = []

    def check(self, left, root, timeline, live_on):
        shutil.rmtree(self.data, ignore_errors=True)
        os.mkdir(self.data)
        store(left, root, self.data)
        server = Server(f"{self.data}/data", "--durability", self.durability)
        try:
            server.start()
            self.look(server, timeline, live_on)
        except (Refused, Unknown, StartFailed) as fault:
            self.faults.append(f"{type(fault).__name__}: {fault}")
        finally:
            if server.is_running():
                server.kill()

    def look(self, server, timeline, live_on):
        client = server.client()
        if self.must_have_all:
            self.faults += timeline.check_tables(client)
        if not timeline.has_table(client):
            return
        ledger = timeline.ledger() if self.must_have_all else self.beginning(timeline, client)
        self.faults += check_all(client, ledger, self.rng)
        if live_on:
            self.live_on(server, ledger, client)

    def beginning(self, timeline, client):
        """The ledger of what there is, once that is found to be a beginning."""
        ledger = Ledger()
        ledger.certain = look(client).items
        for writer in range(WRITERS):
            self.faults += timeline.check_beginning(writer, ledger.certain)
        return ledger

    def live_on(self, server, ledger, client):
        """What is left must be fit to be written to, and to be killed again."""
        writer = Writer("after", self.rng.random())
        for _ in range(AFTERLIFE_STEPS):
            writer.step(client)
        ledger.certain.update(writer.ledger.certain)
        server.kill()
        server.start()
        self.faults += writer.faults + check_all(server.client(), ledger, self.rng)


def check_cuts(events, run, scratch, options):
    rng = random.Random(options.seed)
    cuts = choose_cuts(events, options.cuts, rng)
    timeline = Timeline(run.recorder.history)
    disk = Disk(run.disk)
    found, applied = [], 0
    for number, k in enumerate(cuts):
        while applied < k:
            disk.apply(events[applied])
            applied += 1
        timeline.advance(events[k].time_ns)
        loss = list(LOSSES)[number % len(LOSSES)]
        cut = Cut(scratch, rng, options.durability, options.must_have_all)
        cut.check(disk.left(loss, rng), run.disk, timeline, live_on=number % 8 < 2)
        found += [f"cut {k} of {len(events)}, lost: {loss}: {fault}" for fault in cut.faults]
    print(f"{timeline.seen} writes were seen before they were answered")
    return len(cuts), found


def run_all(scratch, options):
    run = Run(scratch, options)
    events = run.record()
    found = run.recorder.faults() + check_trace(events, run)
    cuts = 0
    if not found:
        cuts, found = check_cuts(events, run, scratch, options)
    print(f"{len(events)} calls recorded, {run.recorder.acknowledged()} writes acknowledged, {cuts} cuts, "
          f"{len(found)} faults; seed {options.seed}")
    print("".join(fault + "\n" for fault in found[:MAX_FAULTS_SHOWN]), end="")
    return cuts, found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--durability", choices=("sync", "relaxed"), default="sync")
    parser.add_argument("--failing-syncs", action="store_true")
    parser.add_argument("--negative-control", action="store_true")
    options = parser.parse_args()
    options.must_have_all = options.durability == "sync"
    if options.negative_control:
        options.durability = "relaxed"
    with ScratchDir("power") as scratch:
        cuts, found = run_all(scratch, options)
        good = cuts > 0 and bool(found) == options.negative_control
        print("1 passed, 0 failed" if good else "0 passed, 1 failed")
        if not good:
            raise SystemExit(1)
    return 0


sys.exit(main())
