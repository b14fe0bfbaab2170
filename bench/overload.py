"""Three times the load that can be borne, as an open loop: what still gets through, and how
quickly and with what the rest is refused. The server and its clients have a processor each."""

import os

from lab import running_ordna, say

TIMES = 3
CONNECTIONS = 4000
PATIENCE_MS = 2000
ROUNDS = 8           # times as long as a round of the other rows: a store that flushes and
                     # merges, and requests that wait for seconds where nothing refuses them
GOODPUT_GOAL = 90    # percent of the peak
REFUSED_GOAL = 90    # percent of what did not get through
QUICK_US = 100000    # the 99th percentile of a refusal
RETRYABLE = ("503_", "500_", "ThrottlingException", "RequestLimitExceeded",
             "ProvisionedThroughputExceededException")

# Operations, their tables, and the bytes of their items. So many connections cannot make a server
# wait for long with small requests: it answers them all within a tenth of a second. With large ones
# they can.
ROWS = [("PutItem", "bench", 1024), ("GetItem", "bench", 1024), ("Query100", "bench_sorted", 1024),
        ("BatchWriteItem", "bench", 2048)]


def processors():
    """One for the server, one for its clients; None where there is only one."""
    every = sorted(os.sched_getaffinity(0))
    return ({every[0]}, {every[1]}) if len(every) > 1 else (None, None)


def kinds_of(result):
    """How often each kind of answer came that was no success: "503 ServiceUnavailable"."""
    return {key[len("answer_"):].replace("_", " ", 1).strip(): int(count)
            for key, count in result.items() if key.startswith("answer_")}


def is_retryable(kind):
    return any(word in kind.replace(" ", "_") for word in RETRYABLE)


def percent_of_rest(result):
    """What became of the requests that were sent and not answered with 200 in time."""
    rest = result["begun"] - result["unsent"] - result["ops"]
    return {key: 100 * result[key] / rest if rest else 0 for key in ("refused", "late", "lost")}


def goodput_line(name, peak, result):
    value = 100 * result["ops_per_s"] / peak
    return {"what": f"{name} goodput", "store": "rocksdb", "ops_per_s": result["ops_per_s"],
            "p50_us": result["p50_us"], "p99_us": result["p99_us"], "p999_us": result["p999_us"],
            "rss_mb": result["rss_kb"] / 1024, "peak_per_s": peak, "is": value, "unit": "% of peak",
            "sign": ">=", "goal": GOODPUT_GOAL,
            "verdict": "pass" if value >= GOODPUT_GOAL else "short"}


def refused_line(name, result):
    became = percent_of_rest(result)
    kinds = kinds_of(result)
    not_left_waiting = 100 - became["late"] - became["lost"]  # all, where there is no rest
    passes = (not_left_waiting >= REFUSED_GOAL and result["refused_p99_us"] <= QUICK_US
              and all(map(is_retryable, kinds)))
    return {"what": f"{name} rest refused", "store": "rocksdb",
            "p50_us": result["refused_p50_us"], "p99_us": result["refused_p99_us"],
            "p999_us": result["refused_p999_us"], "is": not_left_waiting, "unit": "% of rest",
            "sign": ">=", "goal": REFUSED_GOAL, "verdict": "pass" if passes else "short",
            "kinds": kinds, "became": became, "note": note(result, kinds, became)}


def note(result, kinds, became):
    words = {"late": "were answered too late", "lost": "were lost"}
    parts = [f"refused with {kind}" for kind in kinds]
    if result["refused_p99_us"] > QUICK_US:
        parts.append(f"1 in 100 after {result['refused_p99_us'] / 1e6:.2g} s")
    parts += [f"{became[key]:.0f}% {text}" for key, text in words.items() if became[key] >= 0.5]
    unsent = 100 * result["unsent"] / max(result["begun"], 1)
    if unsent >= 0.5:
        parts.append(f"{unsent:.0f}% of all found no free connection")
    return ", ".join(parts) or "all were served"


def run_one(lab, ops, table, value_bytes):
    say(f"overload: {ops}")
    for_server, for_clients = processors()
    shape = ["--size", value_bytes, "--keys", lab.keys_of(table)]
    with running_ordna(lab, "rocksdb", data="overload", pin=for_server) as server:
        lab.fill(server.port, [table])
        peak = lab.load(server.port, ops, *shape, "--connections", 256, "--ms",
                        ROUNDS * lab.milliseconds, pin=for_clients)["ops_per_s"]
        result = lab.load(server.port, ops, *shape, "--connections", CONNECTIONS, "--ms",
                          ROUNDS * lab.milliseconds, "--rate", int(TIMES * peak) + 1,
                          "--give-up-ms", PATIENCE_MS, "--pid", server.pid, pin=for_clients)
    name = f"{TIMES} x the peak of {ops}:"
    return [goodput_line(name, peak, result), refused_line(name, result)]


def run_overload(lab, quick):
    lines = []
    for row in ROWS[:1] if quick else ROWS:
        lab.fresh_folder("overload")
        lines += run_one(lab, *row)
    return lines
