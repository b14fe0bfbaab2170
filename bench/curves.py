"""How cost grows: with items, event loops, indexes, and the size of an item. On RocksDB, synced."""

import signal

from lab import (create_table, disk_bytes, end, free_port, item_bytes, rss_mb, running_ordna, say,
                 time_start)
from turns import Series

CONNECTIONS = 64
ROUNDS = 3
SMALL = 100  # bytes of a value

ITEM_COUNTS = [10_000, 1_000_000]  # ten million take minutes
THREADS = [1, 2]
INDEXES = [0, 1, 5]
# An item's limit is 400 KB, names and all.
SIZES = [(100, "100 B"), (1024, "1 K"), (10_240, "10 K"), (102_400, "100 K"), (409_500, "400 K")]
SIZES_BYTES = 64 << 20  # of all items of one size


def measure(lab, server, ops, keys, value_bytes, connections=CONNECTIONS):
    series = Series(server, writes=ops != "GetItem")
    for _ in range(ROUNDS):
        series.add(lab.load_for(server.port, server.pid, ops, connections, keys, "--size",
                                value_bytes), connections * 4)
    series.settle()
    return series.cpu_us(), series.median("ops_per_s")


def measure_both(lab, server, keys, value_bytes, put="PutItem", connections=CONNECTIONS):
    get_us, gets = measure(lab, server, "GetItem", keys, value_bytes, connections)
    put_us, puts = measure(lab, server, put, keys, value_bytes, connections)
    return {"get_cpu_us": get_us, "gets_per_s": gets, "put_cpu_us": put_us, "puts_per_s": puts,
            "rss_mb": rss_mb(server.pid)}


def load_table(lab, items, value_bytes):
    """Leaves a closed store behind, and gives the bytes on its disk for each of the items'."""
    folder = lab.fresh_folder("curve")
    with running_ordna(lab, "rocksdb", "--durability", "relaxed", data="curve") as server:
        create_table(server.port, "bench", ["pk"])
        lab.fill_table(server.port, "bench", items, value_bytes, 16 if value_bytes < 4096 else 4)
        server.settle(patience_s=60)
    return disk_bytes(folder) / (max(items, 25) * item_bytes(value_bytes))


def time_one_start(lab):
    port = free_port()
    pid, took_ms, _ = time_start(lab.ordna_command("rocksdb", port, data="curve"), port)
    end(pid, signal.SIGTERM)
    return took_ms


def short_count(count):
    for power, letter in ((1_000_000, "M"), (1_000, "k")):
        if count >= power:
            return f"{count / power:g} {letter}"
    return str(count)


def with_items(lab, counts):
    for count in counts:
        label = short_count(count)
        say(f"curve: {label} items")
        on_disk = load_table(lab, count, SMALL)
        start_ms = time_one_start(lab)
        with running_ordna(lab, "rocksdb", data="curve") as server:
            yield {"curve": "items", "x": count, "label": label, "disk": on_disk,
                   "start_ms": start_ms, **measure_both(lab, server, count, SMALL)}


def with_threads(lab):
    load_table(lab, lab.keys, SMALL)
    for threads in THREADS:
        say(f"curve: {threads} threads")
        with running_ordna(lab, "rocksdb", "--threads", str(threads), data="curve") as server:
            yield {"curve": "threads", "x": threads, "label": str(threads),
                   **measure_both(lab, server, lab.keys, SMALL)}


def with_indexes(lab):
    for count in INDEXES:
        say(f"curve: {count} indexes")
        lab.fresh_folder("curve")
        with running_ordna(lab, "rocksdb", data="curve") as server:
            create_table(server.port, "bench", ["pk"], [f"i{n}" for n in range(count)])
            lab.load(server.port, "PutIndexed", "--order", "in-order", "--keys", lab.keys,
                     "--requests", lab.keys, "--warm-up", 0, "--size", SMALL, "--connections", 16)
            yield {"curve": "indexes", "x": count, "label": str(count),
                   **measure_both(lab, server, lab.keys, SMALL, put="PutIndexed")}


def with_sizes(lab):
    for size, label in SIZES:
        say(f"curve: items of {label}")
        keys = max(min(lab.keys, SIZES_BYTES // size), 25)
        on_disk = load_table(lab, keys, size)
        with running_ordna(lab, "rocksdb", data="curve") as server:
            connections = CONNECTIONS if size < 65536 else 8
            yield {"curve": "size", "x": size, "label": label, "disk": on_disk,
                   **measure_both(lab, server, keys, size, connections=connections)}


def run_curves(lab, counts):
    return [*with_items(lab, counts or ITEM_COUNTS), *with_threads(lab), *with_indexes(lab),
            *with_sizes(lab)]
