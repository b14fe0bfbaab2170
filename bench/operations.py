"""Operations over HTTP, measured beside the bare server that gets and answers as many bytes."""

import contextlib
import dataclasses
import statistics

import lab as lab_module
from lab import item_bytes, running_echo, running_ordna, say
from turns import Series, Turns, run_until_equal

CONNECTIONS = 64
# What the committer gets at a time when so many connections write: those that were answered are
# still on their way back, so that two batches of about half take turns.
RAW_BATCH = 32
# Of the operations a second that were reached, when latencies are measured. Clients and server
# share the processors, and clients that do not wait for each other cost more.
LATENCY_LOAD = 0.25


@dataclasses.dataclass
class Row:
    name: str
    store: str
    ops: str
    goal: tuple = None  # ("x echo", at most) or ("MB/CPU s", at least)
    table: str = "bench"
    connections: int = CONNECTIONS
    writes: bool = False
    raw: float = None  # goal: the part of raw RocksDB's rows a second
    quick: bool = False


ROWS = [
    Row("GetItem", "memory", "GetItem", ("x echo", 2.0), quick=True),
    Row("PutItem", "memory", "PutItem", ("x echo", 3.5), quick=True),
    Row("Query, 1 MB pages", "memory", "QueryPage", ("MB/CPU s", 400), "bench_pages", 4),
    Row("Scan, 1 MB pages", "memory", "Scan", ("MB/CPU s", 400), connections=4),
    Row("GetItem", "rocksdb", "GetItem", ("x echo", 2.0), quick=True),
    Row("Query, 1 MB pages", "rocksdb", "QueryPage", ("MB/CPU s", 400), "bench_pages", 4,
        quick=True),
    Row("Scan, 1 MB pages", "rocksdb", "Scan", ("MB/CPU s", 400), connections=4, quick=True),
    Row("Query of 10", "rocksdb", "Query10", table="bench_sorted", quick=True),
    Row("Query of 100", "rocksdb", "Query100", table="bench_sorted"),
    Row("BatchGetItem of 100", "rocksdb", "BatchGetItem", connections=16),
    Row("PutItem", "rocksdb", "PutItem", ("x echo", 3.5), writes=True, raw=0.7, quick=True),
    Row("PutItem if it exists", "rocksdb", "PutItemIf", writes=True),
    Row("UpdateItem if n is low", "rocksdb", "UpdateItemIf", writes=True),
    Row("BatchWriteItem of 25", "rocksdb", "BatchWriteItem", connections=16, writes=True),
    Row("TransactWriteItems of 4", "rocksdb", "TransactWriteItems", writes=True, quick=True),
    Row("YCSB A: 50% update", "rocksdb", "ycsb-a", table="bench_fields", writes=True),
    Row("YCSB B: 5% update", "rocksdb", "ycsb-b", table="bench_fields", writes=True),
    Row("YCSB C: reads", "rocksdb", "ycsb-c", table="bench_fields"),
    Row("YCSB D: reads of the latest", "rocksdb", "ycsb-d", table="bench_fields", writes=True),
    Row("YCSB E: scans of 1 to 100", "rocksdb", "ycsb-e", table="bench_fields", writes=True),
    Row("YCSB F: read, modify, write", "rocksdb", "ycsb-f", table="bench_fields", writes=True),
]


class Sides:
    """What takes part in the turns of a row."""

    def __init__(self, lab, row, first, second):
        self.lab = lab
        self.row = row
        self.first = Series(first, row.writes)
        self.second = Series(second, row.writes)
        self.echo = None
        self.raw = []
        self.log = []

    def load(self, port, pid, *options, milliseconds=None):
        return self.lab.load_for(port, pid, self.row.ops, self.row.connections,
                                 self.lab.keys_of(self.row.table), *options,
                                 milliseconds=milliseconds)

    def measure(self, series):
        result = self.load(series.server.port, series.server.pid)
        series.add(result, self.row.connections * 4)

    def measure_raw(self):
        for results, program, place in ((self.raw, "raw_rocksdb", "raw"),
                                        (self.log, "sync_log", "log")):
            results.append(lab_module.numbers(
                self.lab.program(program), self.lab.folder / place, RAW_BATCH, item_bytes(),
                self.lab.milliseconds))

    def all(self):
        sides = [lambda: self.measure(self.first), lambda: self.measure(self.echo),
                 lambda: self.measure(self.second)]
        return sides + ([self.measure_raw] if self.row.raw else [])

    def answer_bytes(self):
        probe = self.lab.load(self.first.server.port, self.row.ops, "--connections", 4, "--keys",
                              self.lab.keys_of(self.row.table), "--requests", 200)
        return probe["body_bytes_per_op"]

    def both(self, key):
        return [result[key] for series in (self.first, self.second) for result in series.rounds]


def measure_latency(sides):
    """At a quarter of the load that can be borne, from when each request was due."""
    rate = max(int(statistics.median(sides.both("ops_per_s")) * LATENCY_LOAD), 1)
    return sides.load(sides.first.server.port, sides.first.server.pid, "--rate", rate,
                      milliseconds=2 * sides.lab.milliseconds)


def judge(row, x_echo, mb):
    if row.goal is None:
        return {"is": x_echo, "unit": "x echo"}
    unit, goal = row.goal
    value = x_echo if unit == "x echo" else mb
    meets = value <= goal if unit == "x echo" else value >= goal
    sign = "<=" if unit == "x echo" else ">="
    return {"is": value, "unit": unit, "goal": goal, "sign": sign,
            "verdict": "pass" if meets else "short"}


def describe(sides, differs):
    row = sides.row
    cpu_us = (sides.first.cpu_us() + sides.second.cpu_us()) / 2
    x_echo = cpu_us / sides.echo.cpu_us()
    latency = measure_latency(sides)
    return {
        "what": row.name, "store": row.store,
        "ops_per_s": statistics.median(sides.both("ops_per_s")), "cpu_us": cpu_us,
        "echo_cpu_us": sides.echo.cpu_us(), "x_echo": x_echo,
        "p50_us": latency["p50_us"], "p99_us": latency["p99_us"], "p999_us": latency["p999_us"],
        "rss_mb": statistics.median(sides.both("rss_kb")) / 1024, "differs": differs,
        "rounds": len(sides.first.rounds),
        **judge(row, x_echo, statistics.median(sides.both("body_bytes_per_op")) / cpu_us),
    }


def raw_lines(sides):
    """Durable writes against those of raw RocksDB, and of a log alone."""
    def median(results, key):
        return statistics.median(result[key] for result in results)
    reached = statistics.median(sides.both("ops_per_s"))
    part = 100 * reached / median(sides.raw, "rows_per_s")
    goal = 100 * sides.row.raw
    batch = f"batches of {RAW_BATCH}"
    return [
        {"what": "PutItem/s, of raw RocksDB's rows/s", "store": "rocksdb", "is": part, "unit": "%",
         "sign": ">=", "goal": goal, "verdict": "pass" if part >= goal else "short"},
        {"what": f"raw RocksDB, synced {batch}", "store": "",
         "ops_per_s": median(sides.raw, "rows_per_s"),
         "cpu_us": median(sides.raw, "cpu_us_per_row"), "is":
         median(sides.raw, "cpu_us_per_row") / sides.echo.cpu_us(), "unit": "x echo"},
        {"what": f"a log alone, synced {batch}", "store": "",
         "ops_per_s": median(sides.log, "rows_per_s"),
         "cpu_us": median(sides.log, "cpu_us_per_row"), "is":
         median(sides.log, "cpu_us_per_row") / sides.echo.cpu_us(), "unit": "x echo"},
    ]


def run_row(lab, row, first, second, rounds):
    say(f"{row.name}, {row.store}")
    sides = Sides(lab, row, first, second)
    with running_echo(lab, sides.answer_bytes()) as echo:
        sides.echo = Series(echo, False)
        turns = Turns(sides.all())
        differs = run_until_equal(turns, rounds, sides.first, sides.second, sides.echo, row.goal)
        line = describe(sides, differs)
    return [line] + (raw_lines(sides) if row.raw else [])


def run_store(lab, store, rows, rounds):
    lines = []
    with contextlib.ExitStack() as stack:
        first, second = (stack.enter_context(running_ordna(lab, store, data=data))
                         for data in ("first", "second"))
        for server in (first, second):
            lab.fill(server.port)
            server.settle()
        for row in rows:
            lines += run_row(lab, row, first, second, rounds)
    return lines


def run_operations(lab, rounds, quick, only):
    lines = []
    for store in ("memory", "rocksdb"):
        rows = [row for row in ROWS if row.store == store and only in row.name
                and (row.quick or not quick)]
        if rows:
            lines += run_store(lab, store, rows, rounds)
    return lines
