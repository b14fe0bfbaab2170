"""Whether a history is linearizable: whether its operations could have happened one after another.

Each at one moment between its call and its return, and each with the result that it had. An operation
without a result happened before its return or not at all.

The search is Wing and Gong's, with the memory that Lowe added: at each step one of the operations that
no other one has to precede is tried next; a set of operations done that led to the same state before is
not tried again. Histories of different objects are checked apart; an object is a tuple of registers, so
that a transaction over several of them is one operation.
"""

import sys

MAX_STEPS = 3_000_000
INFINITY = sys.maxsize


class Undecided(Exception):
    """The search took too long."""


class Operation:
    """`result` is None when there was no answer. Times are integers; the unanswered return at the
    moment from which on they can have no effect."""

    def __init__(self, kind, arguments, result, called, returned, client=None):
        self.kind = kind
        self.arguments = arguments
        self.result = result
        self.called = called
        self.returned = returned
        self.client = client

    def __repr__(self):
        answer = "no answer" if self.result is None else self.result
        return f"[{self.called}..{self.returned}] client {self.client}: {self.kind}{self.arguments} -> {answer}"


# --- What operations do to a tuple of registers. Each gives the state after it and its result. ----
# A register is None when there is nothing.

def put_at(state, at, value):
    return state[:at] + (value,) + state[at + 1:]


def read(state, at):
    return state, ("is", state[at])


def write(state, at, value):
    return put_at(state, at, value), ("was", state[at])


def write_if(state, at, expected, value):
    if state[at] != expected:
        return state, ("refused",)
    return put_at(state, at, value), ("done",)


def add(state, at, amount):
    total = (state[at] or 0) + amount
    return put_at(state, at, total), ("is", total)


def count(state, at, amount):
    return add(state, at, amount)[0], ("done",)


def read_all(state):
    return state, ("is", *state)


def write_all(state, *values):
    return tuple(values), ("done",)


def write_all_if(state, at, expected, *values):
    if state[at] != expected:
        return state, ("refused",)
    return tuple(values), ("done",)


EFFECTS = {function.__name__: function for function in
           (read, write, write_if, add, count, read_all, write_all, write_all_if)}


def apply(state, operation):
    """The state after it, or None when it would have had another result."""
    after, result = EFFECTS[operation.kind](state, *operation.arguments)
    return after if operation.result in (None, result) else None


# --- The search ---------------------------------------------------------------------------------

class Search:
    """Operations are sorted by their calls. Those before `base` are over, `done` holds the rest that
    was done, one bit for each from `base` on; `latest` is the latest call of all that were done."""

    def __init__(self, operations):
        self.operations = sorted(operations, key=lambda operation: operation.called)
        self.count = len(self.operations)
        self.seen = set()
        self.steps = 0
        self.furthest = 0

    def is_over(self, at, done, base, latest):
        """Done, or unanswered and too late to be done."""
        operation = self.operations[at]
        return done >> (at - base) & 1 or (operation.result is None and operation.returned < latest)

    def advance(self, base, done, latest):
        while base < self.count and self.is_over(base, done, base, latest):
            base += 1
            done >>= 1
        return base, done

    def candidates(self, base, done, latest):
        """What may come next: called before everything that is not over has returned."""
        first_return = INFINITY
        found = []
        for at in range(base, self.count):
            operation = self.operations[at]
            if operation.called > first_return:
                break
            if self.is_over(at, done, base, latest):
                continue
            if operation.result is not None:
                first_return = min(first_return, operation.returned)
            found.append(at)
        return found

    def next_states(self, base, done, latest, state):
        for at in self.candidates(base, done, latest):
            after = apply(state, self.operations[at])
            if after is None:
                continue
            later = max(latest, self.operations[at].called)
            next_base, next_done = self.advance(base, done | 1 << (at - base), later)
            yield next_base, next_done, later, after

    def run(self, initial):
        stack = [self.next_states(*self.advance(0, 0, -1), -1, initial)]
        if self.all_over(*self.advance(0, 0, -1)):
            return True
        while stack:
            found = next(stack[-1], None)
            if found is None:
                stack.pop()
                continue
            base, done, latest, state = found
            if self.all_over(base, done):
                return True
            if self.is_new(base, done, latest, state):
                stack.append(self.next_states(base, done, latest, state))
        return False

    def all_over(self, base, done):
        """Whether nothing is left but what has no answer."""
        return all(done >> (at - base) & 1 or self.operations[at].result is None
                   for at in range(base, self.count))

    def is_new(self, base, done, latest, state):
        key = (base, done, latest, state)
        if key in self.seen:
            return False
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise Undecided(f"{self.count} operations took more than {MAX_STEPS} steps")
        self.seen.add(key)
        self.furthest = max(self.furthest, base)
        return True


def is_linearizable(operations, registers=1):
    return Search(operations).run((None,) * registers)


def explain(operations, registers=1, around=6):
    """Nothing, or the operations about the one that no order could go beyond."""
    search = Search(operations)
    if search.run((None,) * registers):
        return None
    start = max(search.furthest - around, 0)
    shown = search.operations[start:search.furthest + around]
    return f"no order explains operation {search.furthest} of {search.count}:\n" + "\n".join(
        f"        {operation}" for operation in shown)
