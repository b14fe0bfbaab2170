#!/usr/bin/env python3
"""The judge is judged first: every fault that a crash could leave behind is planted and must be found."""

import copy
import sys
import unittest

import runner
from ledger import (BY_GROUP, BY_LABEL, BY_RANK, INDEXES, TABLE, Held, Ledger, check_held, index_row,
                    key_of, make_item)

OLD = ("writer 0 part 0", 1)
FRESH = ("writer 0 part 0", 2)
STRANGER = ("writer 9 part 9", 9)


def grouped(key, start=1):
    """An item of `key` that is in every index."""
    return next(item for seq in range(start, start + 100) if "group" in (item := make_item(key, seq)))


def held_of(items):
    by_key = {key_of(item): copy.deepcopy(item) for item in items}
    rows = {name: [copy.deepcopy(row) for item in items if (row := index_row(name, item))]
            for name in INDEXES}
    counts = {name: len(found) for name, found in rows.items()}
    return Held(by_key, rows, {**counts, TABLE: len(by_key)})


def settled(*items):
    ledger = Ledger()
    for item in items:
        ledger.acknowledge({key_of(item): item})
    return ledger


def lose_item(held):
    del held.items[OLD]


def go_back_in_time(held):
    held.items[OLD] = make_item(OLD, 0)


def go_ahead_of_time(held):
    held.items[OLD] = make_item(OLD, 500)


def resurrect(held):
    held.items[STRANGER] = make_item(STRANGER, 1)


def tear_item(held):
    held.items[OLD]["body"] = make_item(OLD, 77)["body"]


def shorten_item(held):
    held.items[OLD]["body"]["S"] = held.items[OLD]["body"]["S"][:-1]


def lose_attribute(held):
    del held.items[OLD]["label"]


def miscount(held):
    held.items[OLD]["count"]["N"] = "1"


def swap_items(held):
    held.items[OLD], held.items[FRESH] = held.items[FRESH], held.items[OLD]


def lose_row(held):
    held.rows[BY_GROUP].pop()


def double_row(held):
    held.rows[BY_RANK].append(held.rows[BY_RANK][0])


def leave_stale_row(held):
    held.rows[BY_LABEL][0]["seq"] = {"N": "12345"}


def leave_orphan_row(held):
    held.rows[BY_GROUP].append(grouped(STRANGER))


def drift_table_count(held):
    held.counts[TABLE] += 1


def drift_index_count(held):
    held.counts[BY_RANK] -= 1


FAULTS = [lose_item, go_back_in_time, go_ahead_of_time, resurrect, tear_item, shorten_item,
          lose_attribute, miscount, swap_items, lose_row, double_row, leave_stale_row,
          leave_orphan_row, drift_table_count, drift_index_count]


class LedgerTest(unittest.TestCase):

    def test_every_planted_fault_is_found(self):
        for plant in FAULTS:
            with self.subTest(plant.__name__):
                items = [grouped(OLD), grouped(FRESH)]
                held = held_of(items)
                plant(held)
                self.assertTrue(check_held(settled(*items), held), plant.__name__)

    def test_what_was_acknowledged_and_is_there_is_no_fault(self):
        items = [grouped(OLD), make_item(FRESH, 3, 2)]
        self.assertEqual(check_held(settled(*items), held_of(items)), [])

    def test_an_unanswered_write_may_have_happened_or_not(self):
        before, after = grouped(OLD), grouped(OLD, 200)
        for there in (before, after):
            ledger = settled(before)
            ledger.issue({OLD: after})
            self.assertEqual(check_held(ledger, held_of([there])), [])

    def test_an_unanswered_delete_may_have_happened_or_not(self):
        before = grouped(OLD)
        for there in ([before], []):
            ledger = settled(before)
            ledger.issue({OLD: None})
            self.assertEqual(check_held(ledger, held_of(there)), [])

    def test_what_was_seen_once_must_stay(self):
        before, after = grouped(OLD), grouped(OLD, 200)
        ledger = settled(before)
        ledger.issue({OLD: after})
        self.assertIsNone(ledger.check_item(OLD, after))
        self.assertTrue(check_held(ledger, held_of([before])))

    def test_a_refused_write_must_not_happen(self):
        before, after = grouped(OLD), grouped(OLD, 200)
        ledger = settled(before)
        changes = {OLD: after}
        ledger.issue(changes)
        ledger.refuse(changes)
        self.assertTrue(check_held(ledger, held_of([after])))

    def test_an_acknowledged_write_ends_the_doubt_about_earlier_ones(self):
        first, second, third = grouped(OLD), grouped(OLD, 200), grouped(OLD, 400)
        ledger = settled(first)
        ledger.issue({OLD: second})
        ledger.acknowledge({OLD: third})
        self.assertTrue(check_held(ledger, held_of([second])))

    def test_half_a_transaction_is_found(self):
        changes = {OLD: grouped(OLD, 200), FRESH: grouped(FRESH, 200)}
        ledger = settled(grouped(OLD))
        ledger.issue(changes, atomic=True)
        self.assertTrue(check_held(ledger, held_of([changes[OLD]])))

    def test_a_whole_transaction_or_none_of_it_is_no_fault(self):
        changes = {OLD: grouped(OLD, 200), FRESH: grouped(FRESH, 200)}
        for there in ([grouped(OLD)], list(changes.values())):
            ledger = settled(grouped(OLD))
            ledger.issue(changes, atomic=True)
            self.assertEqual(check_held(ledger, held_of(there)), [])


sys.exit(runner.main())
