"""What writers knew, and when: the ledger as it was at any moment of a recorded run."""

import random
import threading
import time

from ledger import CREATE_TABLE, TABLE, Ledger, check_all, wire_key
from ordna_server import Refused, Unknown
from writers import Everyone, Writer

SIDE_TABLES = ("SideOne", "SideTwo")
PATIENCE_SECONDS = 10.0


class TimedLedger(Ledger):
    """Tells the history what it is told."""

    def __init__(self, history):
        super().__init__()
        self.history = history

    def note(self, what, changes, atomic=False):
        self.history.append((time.monotonic_ns(), what, changes, atomic))

    def issue(self, changes, atomic=False):
        self.note("issue", changes, atomic)
        super().issue(changes, atomic)

    def refuse(self, changes):
        super().refuse(changes)
        self.note("refuse", changes)

    def acknowledge(self, changes):
        super().acknowledge(changes)
        self.note("acknowledge", changes)


    def check_item(self, key, item):
        """What a reader saw, it may rely on from then on."""
        doubtful = item != self.certain.get(key)
        fault = super().check_item(key, item)
        if doubtful and fault is None:
            self.note("acknowledge", {key: item})
        return fault


class Recorder:
    """Writers whose ledgers share a history; and tables that come and go."""

    def __init__(self, count, seed):
        self.history = []
        self.unanswered = 0
        self.writers = [Writer(number, seed) for number in range(count)]
        for writer in self.writers:
            writer.ledger = TimedLedger(self.history)
        self.found = []

    def faults(self):
        return self.found + [fault for writer in self.writers for fault in writer.faults]

    def acknowledged(self):
        return sum(writer.acknowledged for writer in self.writers)

    def note_table(self, what, name, exists):
        self.history.append((time.monotonic_ns(), f"table {what}", name, exists))

    def create_table(self, server, name=TABLE):
        self.note_table("issue", name, True)
        server.client().call("CreateTable", dict(CREATE_TABLE, TableName=name))
        self.note_table("acknowledge", name, True)

    def create_side_tables(self, server):
        client = server.client()
        for name in SIDE_TABLES:
            self.create_table(server, name)
            for slot in range(20):
                item = {"owner": {"S": "side"}, "slot": {"N": str(slot)}, "body": {"S": "x" * 500}}
                client.call("PutItem", {"TableName": name, "Item": item})

    def delete_side_table(self, server):
        name = SIDE_TABLES[0]
        self.note_table("issue", name, False)
        if self.delete(server.client(), name):
            self.note_table("acknowledge", name, False)
        else:
            self.found.append(f"{name} could not be deleted")

    @staticmethod
    def delete(client, name):
        """Until it is known to be gone: a store that failed takes writes again within a second."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            try:
                client.call("DeleteTable", {"TableName": name})
                return True
            except Unknown:
                time.sleep(0.02)
            except Refused as refused:
                return refused.kind == "ResourceNotFoundException"
        return False

    def load(self, server, steps, at_end=None):
        """Each writer takes `steps` steps. With `at_end`, that is called in the midst of the last."""
        last = threading.Semaphore(0)
        threads = [threading.Thread(target=self.work, args=(writer, server, steps, last, bool(at_end)))
                   for writer in self.writers]
        over = threading.Event()
        reader = threading.Thread(target=self.watch, args=(server, over))
        for thread in [reader, *threads]:
            thread.start()
        if at_end:
            for _ in threads:
                last.acquire()
            at_end()
        for thread in threads:
            thread.join()
        over.set()
        reader.join()

    def watch(self, server, over):
        """Reads what the writers write: what it sees before they are told must be as durable."""
        client = server.client()
        rng = random.Random(len(self.history))
        while not over.is_set() and server.is_running():
            writer = rng.choice(self.writers)
            key = writer.random_key(rng)
            try:
                answer = client.call("GetItem", {"TableName": TABLE, "Key": wire_key(key), "ConsistentRead": True})
            except Unknown:
                time.sleep(0.02)
                continue
            self.history.append((time.monotonic_ns(), "seen", {key: answer.get("Item")}, False))
        client.close()

    def work(self, writer, server, steps, last, to_the_death):
        client = server.client()
        for _ in range(steps):
            self.step(writer, client)
        last.release()
        while to_the_death and server.is_running():
            self.step(writer, client)
        client.close()

    def step(self, writer, client):
        try:
            writer.step(client)
        except Unknown:
            self.unanswered += 1
            time.sleep(0.02)

    def look(self, server):
        """What is seen now must stay."""
        everyone = Everyone(self.writers)
        whole = everyone.joined()
        self.found += check_all(server.client(), whole)
        for writer in self.writers:
            mine = f"writer {writer.number} part "
            ledger = TimedLedger(self.history)
            ledger.certain = {key: item for key, item in whole.certain.items() if key[0].startswith(mine)}
            writer.ledger = ledger
        self.history.append((time.monotonic_ns(), "settle", dict(whole.certain), False))


class Timeline:
    """The history, up to a moment that only goes forward."""

    def __init__(self, history):
        self.history = sorted(history, key=lambda entry: entry[0])
        self.next = 0
        self.seen = 0  # writes that a reader saw before they were answered
        self.now = Ledger()
        self.tables = {}    # name: whether it certainly exists
        self.doubtful = {}  # name: what an unanswered request would make of it

    def advance(self, time_ns):
        """Takes in all that was known before `time_ns`."""
        while self.next < len(self.history) and self.history[self.next][0] < time_ns:
            self.take(*self.history[self.next][1:])
            self.next += 1

    def take(self, what, about, extra):
        if what == "issue":
            self.now.issue(about, extra)
        elif what == "refuse":
            self.now.refuse(about)
        elif what == "acknowledge":
            self.now.acknowledge(about)
        elif what == "seen":
            self.see(*next(iter(about.items())))
        elif what == "settle":
            self.now = Ledger()
            self.now.certain = dict(about)
        elif what == "table issue":
            self.doubtful[about] = extra
        elif what == "table acknowledge":
            del self.doubtful[about]
            self.tables[about] = extra

    def see(self, key, item):
        """What a reader saw of an unanswered write has happened; of a transaction, all of it."""
        if item == self.now.certain.get(key):
            return
        for changes in self.now.pending:
            if key in changes and changes[key] == item:
                whole = any(changes is other for other in self.now.atomic)
                self.seen += 1
                self.now.acknowledge(changes, None if whole else key)
                return

    def ledger(self):
        copy = Ledger()
        copy.certain = dict(self.now.certain)
        copy.pending = list(self.now.pending)
        copy.atomic = list(self.now.atomic)
        return copy

    def lives_of(self, writer):
        """What the writer changed, step by step, up to now: {key: item or None}."""
        mine = f"writer {writer} part "
        known = set()
        so_far = self.history[:self.next]
        refused = {id(about) for _, what, about, _ in so_far if what == "refuse"}
        for _, what, about, _ in so_far:
            if what not in ("issue", "settle") or id(about) in refused:
                continue
            known.update(about)
            # To settle is to say of every key what it is.
            changes = about if what == "issue" else {key: about.get(key) for key in known}
            yield {key: item for key, item in changes.items() if key[0].startswith(mine)}

    def check_beginning(self, writer, items):
        """What there is of a writer's items is what there was at some moment: no step is left out."""
        there = {key: item for key, item in items.items() if key[0].startswith(f"writer {writer} part ")}
        wrong = set(there)
        if not wrong:
            return []
        for changes in self.lives_of(writer):
            for key, item in changes.items():
                if item == there.get(key):
                    wrong.discard(key)
                else:
                    wrong.add(key)
            if not wrong:
                return []
        return [f"the items of writer {writer} are of no one moment"]

    def check_tables(self, client):
        there = set(client.call("ListTables", {})["TableNames"])
        return [f"table {name} is {'there' if name in there else 'not there'}"
                for name in sorted(there | self.tables.keys())
                if (name in there) not in (self.tables.get(name, False), self.doubtful.get(name))]

    @staticmethod
    def has_table(client):
        try:
            client.call("DescribeTable", {"TableName": TABLE})
        except Refused:
            return False
        return True
