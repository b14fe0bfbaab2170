"""Goals of the program as a whole: start, memory, disk, and what the libraries cost."""

import contextlib
import shutil
import signal
import socket
import statistics
import subprocess
import time

from lab import (VALUE_BYTES, answers, create_table, disk_bytes, end, free_port, item_bytes, numbers,
                 rss_mb, running_ordna, say, time_start)

STARTS = 9
STORES = ("memory", "rocksdb")
START_GOAL_MS = {"memory": 5, "rocksdb": 30}
IDLE_GOAL_MB = {"memory": 6, "rocksdb": 20}
CONNECTIONS = 2000
CONNECTION_GOAL_KB = 4
CRASH_GOAL_MS = 1000
CRASH_LOAD_S = 6
EMBEDDED = (("get", "GetItem", 3), ("put", "PutItem, relaxed", 10))
# Of mapping: what, its key, unit, sign, goal.
TYPED = (("entity of 10 fields, there and back", "encode_decode_us", "us", "<=", 2),
         ("typed get in process, of the JSON call", "typed_get_ratio", "x", "<=", 1.3),
         ("fan-out over 16 shards", "fan_out_items_per_second", "items/s", ">=", 500000))
TYPED_ITEMS = 100000


def against(what, store, value, unit, sign, goal):
    passed = value <= goal if sign == "<=" else value >= goal
    return {"what": what, "store": store, "is": value, "unit": unit, "sign": sign, "goal": goal,
            "verdict": "pass" if passed else "short"}


def at_most(what, store, value, unit, goal):
    return against(what, store, value, unit, "<=", goal)


def run_starts(lab, store):
    lab.fresh_folder("starts")
    times, sizes = [], []
    for _ in range(STARTS):
        port = free_port()
        command = lab.ordna_command(store, port, "--threads", "2", data="starts")
        pid, took_ms, mb = time_start(command, port)
        end(pid)
        times.append(took_ms)
        sizes.append(mb)
    return [at_most("start to first answer", store, statistics.median(times), "ms",
                    START_GOAL_MS[store]),
            at_most("idle memory", store, statistics.median(sizes), "MB", IDLE_GOAL_MB[store])]


def run_connections(lab):
    """Memory of connections that wait for their next request, and of those in the middle of one."""
    text = b"GET / HTTP/1.1\r\nHost: bench\r\n"
    with running_ordna(lab, "memory") as server, contextlib.ExitStack() as stack:
        before = rss_mb(server.pid)
        peers = [stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
                 for _ in range(CONNECTIONS)]

        def cost_kb(sent):
            for peer in peers:
                peer.sendall(sent)
            answers(server.port)  # which comes after all of them, on each of its loops
            return (rss_mb(server.pid) - before) * 1024 / CONNECTIONS

        for peer in peers:
            peer.sendall(text + b"\r\n")
            peer.recv(1024)
        return [at_most("a connection that waits", "memory", cost_kb(b""), "KB",
                        CONNECTION_GOAL_KB),
                {"what": "a connection in a slow head", "store": "memory", "is": cost_kb(text),
                 "unit": "KB"}]


def run_crash(lab):
    """Kills the server under a load of writes, and starts it again on what it left."""
    lab.fresh_folder("crash")
    port = free_port()
    command = lab.ordna_command("rocksdb", port, data="crash")
    pid, _, _ = time_start(command, port)
    create_table(port, "bench", ["pk"])
    load = subprocess.Popen(
        [str(lab.program("loadgen")), "--port", str(port), "--ops", "PutItem", "--ms", "60000",
         "--keys", str(lab.keys)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(min(CRASH_LOAD_S, 5 * lab.milliseconds / 1000))
    end(pid, signal.SIGKILL)
    load.wait()
    pid, took_ms, _ = time_start(command, port)
    end(pid)
    return at_most("start after kill -9 under writes", "rocksdb", took_ms, "ms", CRASH_GOAL_MS)


def run_disk(lab):
    """Bytes on the disk for each of the items' own, when they have been written once."""
    folder = lab.fresh_folder("disk")
    with running_ordna(lab, "rocksdb", "--durability", "relaxed", data="disk") as server:
        create_table(server.port, "bench", ["pk"])
        lab.fill_table(server.port, "bench", lab.keys, VALUE_BYTES)
    items = -(-lab.keys // 25) * 25
    return {"what": "bytes on the disk for one of an item", "store": "rocksdb",
            "is": disk_bytes(folder) / items / item_bytes(), "unit": "x"}


def run_library(lab, store, rounds):
    data = lab.folder / "library"
    results = []
    for _ in range(rounds):
        shutil.rmtree(data, ignore_errors=True)
        results.append(numbers(lab.program("embedded"), store, data, lab.keys, lab.keys))
    return [at_most(f"library: {name}", store,
                    statistics.median(result[f"cpu_us_{key}"] for result in results), "us", goal)
            for key, name, goal in EMBEDDED]


def run_typed(lab, rounds):
    items = min(TYPED_ITEMS, 5 * lab.keys)
    results = [numbers(lab.program("mapping"), items, 2 * items) for _ in range(rounds)]
    return [against(what, "memory", statistics.median(result[key] for result in results), unit,
                    sign, goal) for what, key, unit, sign, goal in TYPED]


def run_whole(lab, rounds):
    lines = []
    for store in STORES:
        say(f"starts and library, {store}")
        lines += run_starts(lab, store) + run_library(lab, store, rounds)
    say("typed items; start after a crash, bytes on the disk")
    return lines + run_typed(lab, rounds) + run_connections(lab) + [run_crash(lab), run_disk(lab)]
