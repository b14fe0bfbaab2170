#!/usr/bin/env python3
"""The checker is checked: histories that no order explains, and strange ones that one does."""

import itertools
import pathlib
import random
import sys
import unittest

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[1] / "crash"))

import runner
from checker import EFFECTS, Operation, is_linearizable

DONE, REFUSED = ("done",), ("refused",)


def op(called, returned, kind, *arguments, result=None):
    return Operation(kind, arguments, result, called, returned)


def wrote(called, returned, value, was=None):
    return op(called, returned, "write", 0, value, result=("was", was))


def saw(called, returned, value):
    return op(called, returned, "read", 0, result=("is", value))


def added(called, returned, total):
    return op(called, returned, "add", 0, 1, result=("is", total))


def lost(called, returned, value):
    """A write without an answer."""
    return op(called, returned, "write", 0, value)


WRONG = {
    "a read from nowhere": [wrote(0, 1, 1), saw(2, 3, 7)],
    "a read of nothing after a write": [wrote(0, 1, 1), saw(2, 3, None)],
    "a stale read": [wrote(0, 1, 1), wrote(2, 3, 2, was=1), saw(4, 5, 1)],
    "a stale read after a fresh one": [wrote(0, 1, 1), wrote(2, 9, 2, was=1), saw(3, 4, 2), saw(5, 6, 1)],
    "a read ahead of its write": [saw(0, 1, 1), wrote(2, 3, 1)],
    "a lost update": [wrote(0, 1, 1), wrote(2, 3, 2, was=1), wrote(4, 5, 3, was=1)],
    "a lost increment": [added(0, 1, 1), added(2, 3, 1)],
    "two increments to one total": [added(0, 5, 1), added(1, 6, 2), added(2, 7, 2)],
    "an increment that counted twice": [added(0, 1, 1), added(2, 3, 3)],
    "an increment that was asked for twice and counted twice": [
        added(0, 1, 1), op(2, 9, "count", 0, 1, result=DONE), added(10, 11, 4)],
    "two that both found what only one can find": [
        wrote(0, 1, 1), op(2, 5, "write_if", 0, 1, 2, result=DONE), op(3, 6, "write_if", 0, 1, 3, result=DONE)],
    "a refusal without a reason": [wrote(0, 1, 1), op(2, 3, "write_if", 0, 1, 2, result=REFUSED)],
    "a refused write that happened": [
        wrote(0, 1, 1), op(2, 3, "write_if", 0, 9, 2, result=REFUSED), saw(4, 5, 2)],
    "an unanswered write that came and went": [
        wrote(0, 1, 1), lost(2, 5, 2), saw(3, 4, 2), saw(6, 7, 1)],
    "an unanswered write after the end of its server": [
        wrote(0, 1, 1), lost(2, 5, 2), saw(6, 7, 1), saw(8, 9, 2)],
    "an acknowledged write lost in a crash": [wrote(0, 1, 1), lost(2, 5, 2), saw(6, 7, None)],
}

WRONG_PAIRS = {
    "half a transaction": [op(0, 1, "write_all", 1, 1, result=DONE),
                           op(2, 9, "write_all", 2, 2, result=DONE),
                           op(3, 4, "read_all", result=("is", 2, 1))],
    "a transaction seen by one read and not by the next": [
        op(0, 9, "write_all", 1, 1, result=DONE), op(1, 2, "read", 0, result=("is", 1)),
        op(3, 4, "read", 1, result=("is", None))],
    "a write between a transaction's halves": [
        op(0, 1, "write_all", 1, 1, result=DONE), op(2, 3, "write", 0, 5, result=("was", 1)),
        op(4, 5, "write_all_if", 0, 1, 6, 6, result=DONE)],
}

RIGHT = {
    "nothing": [],
    "one after another": [wrote(0, 1, 1), saw(2, 3, 1), wrote(4, 5, 2, was=1), saw(6, 7, 2)],
    "a read beside a write may see it or not": [wrote(0, 1, 1), wrote(2, 9, 2, was=1), saw(3, 4, 1), saw(5, 6, 2)],
    "writes beside each other, in the other order": [
        wrote(0, 9, 1, was=2), wrote(1, 8, 2), saw(10, 11, 1)],
    "an unanswered write that happened": [wrote(0, 1, 1), lost(2, 5, 2), saw(6, 7, 2)],
    "an unanswered write that did not": [wrote(0, 1, 1), lost(2, 5, 2), saw(6, 7, 1)],
    "an unanswered write that was seen late": [wrote(0, 1, 1), lost(2, 9, 2), saw(3, 4, 1), saw(5, 6, 2)],
    "only unanswered ones": [lost(0, 5, 1), lost(1, 5, 2)],
    "increments beside each other": [added(0, 5, 2), added(1, 6, 3), added(2, 7, 1)],
    "a refusal by a write beside it": [
        wrote(0, 1, 1), wrote(2, 9, 2, was=1), op(3, 4, "write_if", 0, 1, 5, result=REFUSED)],
}


def brute_force(operations):
    """All orders of all choices of the unanswered: for small histories."""
    unanswered = [item for item in operations if item.result is None]
    answered = [item for item in operations if item.result is not None]
    for size in range(len(unanswered) + 1):
        for chosen in itertools.combinations(unanswered, size):
            if any(explains(order) for order in itertools.permutations(answered + list(chosen))):
                return True
    return False


def explains(order):
    state = (None,)
    for position, operation in enumerate(order):
        if any(later.returned < operation.called for later in order[position + 1:]):
            return False
        state, result = EFFECTS[operation.kind](state, *operation.arguments)
        if operation.result not in (None, result):
            return False
    return True


def random_history(rng):
    """Mostly what a correct register would answer, with something else now and then."""
    state, history = (None,), []
    for number in range(rng.randint(2, 6)):
        called = 2 * number - rng.choice((0, 0, 3, 5))
        kind, arguments = rng.choice((("read", (0,)), ("write", (0, number)), ("add", (0, 1)),
                                      ("write_if", (0, state[0], number))))
        after, result = EFFECTS[kind](state, *arguments)
        fate = rng.random()
        if fate < 0.2:
            result, after = None, rng.choice((state, after))
        elif fate < 0.3:
            result = rng.choice((("is", rng.randint(0, 5)), ("was", rng.randint(0, 5)), ("refused",), ("done",)))
        history.append(Operation(kind, arguments, result, called, 2 * number + rng.choice((0, 1, 4))))
        state = after
    return history


class CheckerTest(unittest.TestCase):

    def test_what_no_order_explains_is_caught(self):
        for name, history in WRONG.items():
            with self.subTest(name):
                self.assertFalse(is_linearizable(history), name)

    def test_what_no_order_of_transactions_explains_is_caught(self):
        for name, history in WRONG_PAIRS.items():
            with self.subTest(name):
                self.assertFalse(is_linearizable(history, registers=2), name)

    def test_what_some_order_explains_is_right(self):
        for name, history in RIGHT.items():
            with self.subTest(name):
                self.assertTrue(is_linearizable(history), name)

    def test_the_search_and_all_permutations_agree(self):
        rng = random.Random(1)
        verdicts = {True: 0, False: 0}
        for _ in range(3000):
            history = random_history(rng)
            verdict = is_linearizable(history)
            self.assertEqual(verdict, brute_force(history), history)
            verdicts[verdict] += 1
        self.assertGreater(min(verdicts.values()), 300)


sys.exit(runner.main())
