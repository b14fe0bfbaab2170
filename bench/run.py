#!/usr/bin/env python3
"""Measures ordna against its goals, on this machine, and prints one table.

    bench/run.py [--build DIR] [--rounds N] [--seconds S] [--keys N] [--only WORD]

Machines are noisy and differ, so most goals are ratios: the CPU time that the server spends on an
operation, to that of a bare libuv + llhttp server (bench/echo_server.c) that gets the same bytes
and answers as many. Both are measured in turns, and the median of the rounds' ratios counts.
"""

import argparse
import contextlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
VALUE_BYTES = 1024
PAGE_ITEMS = 2000
STARTS = 9

# name, store, operations, connections, more options of loadgen, kind of goal, goal
OPERATIONS = [
    ("GetItem", "memory", "GetItem", 64, [], "ratio", 2.0),
    ("GetItem", "rocksdb", "GetItem", 64, [], "ratio", 2.0),
    ("PutItem", "memory", "PutItem", 64, [], "ratio", 3.5),
    ("PutItem", "rocksdb", "PutItem", 64, [], "ratio", 3.5),
    ("PutItem if it exists", "rocksdb", "PutItemIf", 64, [], None, None),
    ("UpdateItem ADD", "rocksdb", "UpdateItem", 64, [], None, None),
    ("95% get, 5% put, Zipf", "rocksdb", "GetItem=95,PutItem=5", 64, ["--order", "zipf"], None, None),
    ("Query, 1 item", "rocksdb", "Query", 64, [], None, None),
    ("Query, 1 MB pages", "memory", "QueryPage", 4, [], "mb", 400),
    ("Query, 1 MB pages", "rocksdb", "QueryPage", 4, [], "mb", 400),
    ("Scan, 1 MB pages", "memory", "Scan", 4, [], "mb", 400),
    ("Scan, 1 MB pages", "rocksdb", "Scan", 4, [], "mb", 400),
]

START_GOAL_MS = {"memory": 5, "rocksdb": 30}
IDLE_GOAL_MB = {"memory": 6, "rocksdb": 20}
CRASH_GOAL_MS = 1000
EMBEDDED_GOAL_US = {"get": 3, "put": 10}
RAW_GOAL = 0.7  # of the rows a second of raw RocksDB, in batches as large as there are connections
RAW_BATCH = 64


class Bench:
    def __init__(self, args):
        self.args = args
        self.ordna = args.build / "ordna"
        self.loadgen = args.build / "bench" / "loadgen"
        self.echo = args.build / "bench" / "echo_server"
        self.embedded = args.build / "bench" / "embedded"
        self.raw = args.build / "bench" / "raw_rocksdb"
        self.data = pathlib.Path(tempfile.mkdtemp(prefix="bench-", dir=args.build))

    def ordna_command(self, store, port, threads="1"):
        command = [self.ordna, "serve", "--port", str(port), "--store", store, "--threads", threads]
        return command + (["--data", str(self.data / "rocksdb")] if store == "rocksdb" else [])

    def load(self, port, *options):
        """Runs the load generator and gives its lines as a dictionary."""
        return self.numbers(self.loadgen, "--port", port, "--size", VALUE_BYTES, *options)

    def numbers(self, *command):
        """Runs a program that prints lines "key=number", and gives them as a dictionary."""
        done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(f"bench: failed: {' '.join(map(str, command))}")
        pairs = (line.split("=", 1) for line in done.stdout.splitlines())
        return {key: float(value) for key, value in pairs}


# ---- servers ----


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(port):
    """Whether somebody answers a GET; a bare socket, so that nothing but the server takes time."""
    with socket.socket() as peer:
        try:
            peer.connect(("127.0.0.1", port))
            peer.sendall(b"GET / HTTP/1.1\r\nHost: bench\r\n\r\n")
            return peer.recv(1) != b""
        except OSError:
            return False


def wait_until_it_answers(process, port):
    while not answers(port):
        if process.poll() is not None:
            sys.exit(f"bench: {' '.join(map(str, process.args))} ended with {process.returncode}")


@contextlib.contextmanager
def running(command, port):
    with open(os.devnull, "w") as null:
        process = subprocess.Popen(command, stdout=null)
    try:
        wait_until_it_answers(process, port)
        yield process
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def running_echo(bench, body_bytes):
    process = subprocess.Popen([bench.echo, str(body_bytes)], stdout=subprocess.PIPE, text=True)
    try:
        yield process, int(process.stdout.readline().split("=")[1])
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def call(port, operation, body):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("POST", "/", json.dumps(body), {
        "X-Amz-Target": "DynamoDB_20120810." + operation,
        "Content-Type": "application/x-amz-json-1.0",
        "Authorization": "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260801/us-east-1/dynamodb/"
                         "aws4_request, SignedHeaders=host, Signature=00",
    })
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    if response.status != 200:
        sys.exit(f"bench: {operation}: {response.status} {text}")


def create_table(port, name, keys):
    call(port, "CreateTable", {
        "TableName": name,
        "KeySchema": [{"AttributeName": key, "KeyType": kind} for key, kind in keys],
        "AttributeDefinitions": [{"AttributeName": key, "AttributeType": "S"} for key, _ in keys],
        "BillingMode": "PAY_PER_REQUEST",
    })


def fill(bench, port):
    create_table(port, "bench", [("pk", "HASH")])
    create_table(port, "bench_pages", [("pk", "HASH"), ("sk", "RANGE")])
    for operation, count in (("PutItem", bench.args.keys), ("PutPage", PAGE_ITEMS)):
        bench.load(port, "--ops", operation, "--order", "in-order", "--keys", count,
                   "--requests", count, "--warm-up", 0)


# ---- operations ----


def measure(bench, port, pid, ops, connections, more):
    return bench.load(port, "--pid", pid, "--ops", ops, "--connections", connections, "--keys",
                      bench.args.keys, "--seconds", bench.args.seconds, "--warm-up",
                      connections * 4, *more)


def measure_in_turns(bench, port, pid, row):
    """Gives the rounds' results, and those of the echo that answers bodies of the same size."""
    _, _, ops, connections, more, _, _ = row
    probe = bench.load(port, "--ops", ops, "--connections", connections, "--keys",
                       bench.args.keys, "--requests", connections * 20, *more)
    own, control = [], []
    with running_echo(bench, int(probe["body_bytes_per_op"])) as (echo, echo_port):
        for turn in range(bench.args.rounds):
            sides = [(own, port, pid), (control, echo_port, echo.pid)]
            for results, side_port, side_pid in sides if turn % 2 == 0 else reversed(sides):
                results.append(measure(bench, side_port, side_pid, ops, connections, more))
    return own, control


def median(results, key):
    return statistics.median(result[key] for result in results)


def judge(kind, goal, ratio, mb):
    if kind is None:
        return "", ""
    if kind == "ratio":
        return f"<= {goal} x", "pass" if ratio <= goal else "short"
    return f">= {goal} MB/s", "pass" if mb >= goal else "short"


def operation_line(row, own, control):
    name, store, _, _, _, kind, goal = row
    cpu = median(own, "cpu_us_per_op")
    ratio = statistics.median(a["cpu_us_per_op"] / b["cpu_us_per_op"]
                              for a, b in zip(own, control))
    mb = median(own, "body_bytes_per_op") / cpu  # bytes a microsecond of CPU are MB a second
    return [name, store, f"{median(own, 'ops_per_s'):.0f}", f"{cpu:.2f}",
            f"{median(own, 'p50_us'):.0f}", f"{median(own, 'p99_us'):.0f}",
            f"{median(own, 'p999_us'):.0f}", f"{ratio:.2f}", f"{mb:.0f}", *judge(kind, goal, ratio, mb)]


def run_operations(bench):
    lines = [["operation", "store", "ops/s", "CPU us/op", "p50 us", "p99 us", "p99.9 us",
              "x echo", "MB/CPU s", "goal", "verdict"]]
    for store in ("memory", "rocksdb"):
        rows = [row for row in OPERATIONS if row[1] == store and bench.args.only in row[0]]
        port = free_port()
        if not rows:
            continue
        with running(bench.ordna_command(store, port), port) as server:
            fill(bench, port)
            for row in rows:
                print(f"bench: {row[0]}, {store}", file=sys.stderr)
                lines.append(operation_line(row, *measure_in_turns(bench, port, server.pid, row)))
    return lines


# ---- durable writes against raw RocksDB ----


def raw_line(bench):
    """PutItem over HTTP against batches of rows of the same size, both synced, in turns."""
    shares = []
    port = free_port()
    shutil.rmtree(bench.data / "rocksdb", ignore_errors=True)
    with running(bench.ordna_command("rocksdb", port), port):
        create_table(port, "bench", [("pk", "HASH")])
        for _ in range(bench.args.rounds):
            own = bench.load(port, "--ops", "PutItem", "--connections", RAW_BATCH, "--seconds",
                             bench.args.seconds)
            raw = bench.numbers(bench.raw, bench.data / "raw", RAW_BATCH, bench.args.seconds)
            shares.append(own["ops_per_s"] / raw["rows_per_s"])
    share = statistics.median(shares)
    return ["PutItem/s, of raw RocksDB's rows/s", "rocksdb", f"{share:.0%}", f">= {RAW_GOAL:.0%}",
            "pass" if share >= RAW_GOAL else "short"]


# ---- the library ----


def embedded_lines(bench, store):
    data = bench.data / f"embedded-{store}"
    rounds = []
    for _ in range(bench.args.rounds):
        shutil.rmtree(data, ignore_errors=True)
        rounds.append(bench.numbers(bench.embedded, store, data, bench.args.keys, bench.args.keys))
    return [line(f"embedded {name}, CPU", store, median(rounds, f"cpu_us_{op}"), "us",
                 EMBEDDED_GOAL_US[op])
            for op, name in (("get", "GetItem"), ("put", "PutItem, relaxed"))]


# ---- start, memory ----


def time_start(command, port):
    """Milliseconds from before the program is started to its first answer, and its memory then."""
    began = time.monotonic_ns()
    pid = os.posix_spawn(command[0], list(map(str, command)), os.environ,
                         file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    while not answers(port):
        if os.waitpid(pid, os.WNOHANG) != (0, 0):
            sys.exit(f"bench: {' '.join(map(str, command))} ended at once")
    took_ms = (time.monotonic_ns() - began) / 1e6
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    rss_mb = next(int(line.split()[1]) for line in status.splitlines() if "VmRSS" in line) / 1024
    return pid, took_ms, rss_mb


def end(pid, with_signal):
    os.kill(pid, with_signal)
    os.waitpid(pid, 0)


def start_lines(bench, store):
    shutil.rmtree(bench.data / "rocksdb", ignore_errors=True)
    times, sizes = [], []
    for _ in range(STARTS):
        port = free_port()
        pid, took_ms, rss_mb = time_start(bench.ordna_command(store, port, threads="2"), port)
        end(pid, signal.SIGTERM)
        times.append(took_ms)
        sizes.append(rss_mb)
    return [line("start to first answer", store, statistics.median(times), "ms", START_GOAL_MS[store]),
            line("idle memory", store, statistics.median(sizes), "MB", IDLE_GOAL_MB[store])]


def line(what, store, value, unit, goal):
    return [what, store, f"{value:.1f} {unit}", f"<= {goal} {unit}",
            "pass" if value <= goal else "short"]


def crash_line(bench):
    """Kills the server under a load of writes, and starts it again on what it left."""
    shutil.rmtree(bench.data / "rocksdb", ignore_errors=True)
    port = free_port()
    pid, _, _ = time_start(bench.ordna_command("rocksdb", port), port)
    create_table(port, "bench", [("pk", "HASH")])
    load = subprocess.Popen([bench.loadgen, "--port", str(port), "--ops", "PutItem", "--seconds",
                             "30", "--keys", str(bench.args.keys)],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(min(10, 2 * bench.args.seconds))
    end(pid, signal.SIGKILL)
    load.wait()
    port = free_port()
    pid, took_ms, _ = time_start(bench.ordna_command("rocksdb", port), port)
    end(pid, signal.SIGTERM)
    return line("start after kill -9 under writes", "rocksdb", took_ms, "ms", CRASH_GOAL_MS)


def run_starts(bench):
    lines = [["what", "store", "is", "goal", "verdict"]]
    for store in ("memory", "rocksdb"):
        print(f"bench: starts, {store}", file=sys.stderr)
        lines += start_lines(bench, store)
    lines.append(crash_line(bench))
    return lines


def run_others(bench):
    lines = run_starts(bench)
    for store in ("memory", "rocksdb"):
        print(f"bench: library, {store}", file=sys.stderr)
        lines += embedded_lines(bench, store)
    if bench.raw.exists():
        print("bench: raw RocksDB", file=sys.stderr)
        lines.append(raw_line(bench))
    return lines


# ---- output ----


def print_table(lines):
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for row, cells in enumerate(lines):
        texts = (cell.ljust(width) if cell[:1].isalpha() or i < 2 else cell.rjust(width)
                 for i, (cell, width) in enumerate(zip(cells, widths)))
        print("  ".join(texts).rstrip())
        if row == 0:
            print("  ".join("-" * width for width in widths))
    print()


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=2, help="of each round")
    parser.add_argument("--keys", type=int, default=100000)
    parser.add_argument("--only", default="", help="operations whose names have this in them")
    return parser.parse_args()


def main():
    bench = Bench(parse_args())
    # The library looks beside its program for the store.
    os.environ["ORDNA_STORE_DIR"] = str((bench.args.build / "src" / "storage").resolve())
    try:
        print_table(run_operations(bench))
        if bench.args.only == "":
            print_table(run_others(bench))
    finally:
        shutil.rmtree(bench.data)


main()
