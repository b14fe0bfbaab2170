#!/usr/bin/env python3
"""The disk that loses power, and the judge of what a relaxed server kept, on small cases of their own."""

import os
import random
import sys
import unittest

import faults  # finds the modules of tests/crash
from power import (CLOSE, LOSSES, MKDIR, OPEN, RENAME, SECTOR, SYNC, TRUNCATE, UNLINK, WRITE, Disk, Event)
from timeline import Timeline

import runner
from ledger import make_item

ROOT = "/disk"
FOLDER, FILE, OTHER = "/disk/data", "/disk/data/file", "/disk/data/other"
ALL_LOST = "all that was not synced"


class Script:
    """Calls on a disk, as the trace has them."""

    def __init__(self):
        self.disk = Disk(ROOT)
        self.fds = {}

    def call(self, kind, path=None, number=-1, data=b""):
        fd = self.fds.get(path, -1)
        self.disk.apply(Event(kind, fd, 0, number, data))
        return self

    def open(self, path, flags=os.O_CREAT):
        self.fds[path] = len(self.fds) + 3
        return self.call(OPEN, path, flags, path.encode())

    def write(self, path, data, at=-1):
        return self.call(WRITE, path, at, data)

    def sync(self, path, failed=False):
        return self.call(SYNC, path, int(failed))

    def rename(self, source, target):
        return self.call(RENAME, None, len(source), source.encode() + target.encode())

    def unlink(self, path):
        return self.call(UNLINK, None, 0, path.encode())

    def truncate(self, path, size):
        return self.call(TRUNCATE, path, size)

    def left(self, loss=ALL_LOST, seed=0):
        return self.disk.left(loss, random.Random(seed))


def with_folder():
    """A disk with one folder in it, both of them safe."""
    script = Script()
    script.call(MKDIR, None, 0, FOLDER.encode())
    return script.open(ROOT, 0).sync(ROOT).open(FOLDER, 0)


def with_file(content=b"old"):
    return with_folder().open(FILE).write(FILE, content).sync(FILE).sync(FOLDER)


class DiskTest(unittest.TestCase):

    def test_what_is_synced_with_its_name_stays(self):
        self.assertEqual(with_file().left()[FILE], b"old")

    def test_what_is_not_synced_goes(self):
        self.assertEqual(with_file().write(FILE, b"new").left()[FILE], b"old")

    def test_a_file_whose_folder_is_not_synced_goes_with_its_name(self):
        self.assertNotIn(FILE, with_folder().open(FILE).write(FILE, b"x").sync(FILE).left())

    def test_a_folder_that_is_not_synced_goes_with_all_that_is_in_it(self):
        script = Script()
        script.call(MKDIR, None, 0, FOLDER.encode())
        script.open(FOLDER, 0).open(FILE).write(FILE, b"x").sync(FILE).sync(FOLDER)
        self.assertEqual(list(script.left()), [ROOT])

    def test_a_renamed_file_has_its_old_name_until_the_folder_is_synced(self):
        script = with_file().rename(FILE, OTHER)
        self.assertIn(FILE, script.left())
        self.assertNotIn(OTHER, script.left())
        self.assertNotIn(FILE, script.sync(FOLDER).left())
        self.assertEqual(script.left()[OTHER], b"old")

    def test_a_removed_file_comes_back_until_the_folder_is_synced(self):
        script = with_file().unlink(FILE)
        self.assertIn(FILE, script.left())
        self.assertNotIn(FILE, script.sync(FOLDER).left())

    def test_a_truncation_is_not_safe_before_its_sync(self):
        script = with_file().truncate(FILE, 1)
        self.assertEqual(script.left()[FILE], b"old")
        self.assertEqual(script.sync(FILE).left()[FILE], b"o")

    def test_writes_go_on_where_the_last_one_ended(self):
        script = with_file(b"ab").write(FILE, b"cd").write(FILE, b"X", at=0).write(FILE, b"e")
        self.assertEqual(script.disk.seen()[FILE], b"Xbcde")

    def test_what_a_failed_sync_left_behind_no_later_one_makes_safe(self):
        script = with_file(b"abc").write(FILE, b"X", at=0).sync(FILE, failed=True).write(FILE, b"Z", at=2)
        self.assertEqual(script.sync(FILE).left()[FILE], b"abZ")
        self.assertEqual(script.disk.seen()[FILE], b"XbZ")

    def test_a_descriptor_that_was_closed_is_unknown(self):
        script = with_file().call(CLOSE, FILE)
        with self.assertRaises(KeyError):
            script.write(FILE, b"x")

    def test_torn_content_is_old_or_new_or_zeros_and_differs_from_run_to_run(self):
        old, new = b"o" * 4 * SECTOR, b"n" * 8 * SECTOR
        script = with_file(old).write(FILE, new, at=0)
        for loss in LOSSES:
            results = {bytes(script.left(loss, seed)[FILE]) for seed in range(30)}
            self.assertTrue(all(set(result) <= set(b"on\0") for result in results), loss)
        self.assertGreater(len(results), 5)


class SeenTest(unittest.TestCase):
    """A reader saw a write that nobody has answered."""

    def setUp(self):
        self.key, self.other = ("writer 0 part 0", 1), ("writer 0 part 0", 2)
        self.both = {self.key: make_item(self.key, 1), self.other: make_item(self.other, 1)}
        self.later = {self.other: make_item(self.other, 2)}

    def ledger(self, atomic):
        history = [(1, "issue", self.both, atomic), (2, "issue", self.later, False),
                   (3, "seen", {self.key: self.both[self.key]}, False)]
        timeline = Timeline(history)
        timeline.advance(9)
        return timeline.ledger()

    def test_the_whole_transaction_has_happened_and_what_came_later_may_have(self):
        ledger = self.ledger(atomic=True)
        self.assertEqual(ledger.states(self.key), [self.both[self.key]])
        self.assertEqual(ledger.states(self.other), [self.both[self.other], self.later[self.other]])

    def test_of_a_batch_that_item_has_been_written_and_the_others_may_have(self):
        ledger = self.ledger(atomic=False)
        self.assertEqual(ledger.states(self.key), [self.both[self.key]])
        self.assertEqual(ledger.states(self.other),
                         [None, self.both[self.other], self.later[self.other]])


class BeginningTest(unittest.TestCase):

    def setUp(self):
        self.key = ("writer 0 part 0", 1)
        self.other = ("writer 0 part 0", 2)
        self.steps = [{self.key: make_item(self.key, 1)}, {self.other: make_item(self.other, 2)},
                      {self.key: make_item(self.key, 3)}, {self.other: None}]
        history = [(number, "issue", step, False) for number, step in enumerate(self.steps)]
        self.timeline = Timeline(history)
        self.timeline.advance(len(history))

    def state_after(self, steps):
        state = {}
        for step in steps:
            state.update(step)
        return {key: item for key, item in state.items() if item is not None}

    def test_every_beginning_is_one(self):
        for count in range(len(self.steps) + 1):
            self.assertEqual(self.timeline.check_beginning(0, self.state_after(self.steps[:count])), [])

    def test_a_step_left_out_is_found(self):
        self.timeline = Timeline(self.timeline.history)
        self.timeline.advance(3)
        for left in ([self.steps[1]], [self.steps[0], self.steps[2]], [self.steps[2]]):
            self.assertTrue(self.timeline.check_beginning(0, self.state_after(left)), left)

    def test_another_item_is_found(self):
        self.assertTrue(self.timeline.check_beginning(0, {self.key: make_item(self.key, 9)}))

    def test_a_refused_step_is_none(self):
        changes = {self.key: make_item(self.key, 5)}
        timeline = Timeline([(0, "issue", self.steps[0], False), (1, "issue", changes, False),
                             (2, "refuse", changes, False)])
        timeline.advance(3)
        self.assertTrue(timeline.check_beginning(0, self.state_after([changes])))


sys.exit(runner.main())
