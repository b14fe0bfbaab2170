"""Three times the load that can be borne, as an open loop: what still gets through, and how
quickly and with what the rest is refused. The server and its clients have a processor each."""

import os

from lab import VALUE_BYTES, running_ordna, say

TIMES = 3
CONNECTIONS = 4000
PATIENCE_MS = 1000
GOODPUT_GOAL = 90    # percent of the peak
REFUSED_GOAL = 90    # percent of what did not get through
QUICK_US = 100000    # the 99th percentile of a refusal
RETRYABLE = ("503_", "500_", "ThrottlingException", "RequestLimitExceeded",
             "ProvisionedThroughputExceededException")

ROWS = [("PutItem", "rocksdb"), ("GetItem", "rocksdb")]


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


def describe(ops, store, peak, result):
    rest = max(result["begun"] - result["ops"], 1)
    kinds = kinds_of(result)
    line = {
        "what": f"{ops} at {TIMES} x its peak", "store": store,
        "ops_per_s": result["ops_per_s"], "p50_us": result["p50_us"], "p99_us": result["p99_us"],
        "p999_us": result["p999_us"], "rss_mb": result["rss_kb"] / 1024,
        "peak_per_s": peak, "is": 100 * result["ops_per_s"] / peak, "unit": "% of peak",
        "sign": ">=", "goal": GOODPUT_GOAL, "refused": 100 * result["refused"] / rest,
        "refused_p50_us": result["refused_p50_us"], "refused_p99_us": result["refused_p99_us"],
        "late": 100 * result["late"] / rest, "unsent": 100 * result["unsent"] / rest,
        "lost": 100 * result["lost"] / rest, "kinds": kinds,
    }
    passes = (line["is"] >= GOODPUT_GOAL and line["refused"] >= REFUSED_GOAL
              and line["refused_p99_us"] <= QUICK_US and all(map(is_retryable, kinds)))
    return dict(line, verdict="pass" if passes else "short", note=note(line))


def note(line):
    """Of what did not get through."""
    parts = [f"of the rest {line['refused']:.0f}% refused"]
    if line["kinds"]:
        parts.append(f"with {' and '.join(line['kinds'])} in {line['refused_p50_us'] / 1000:.1f} ms"
                     f" (99%: {line['refused_p99_us'] / 1000:.1f} ms)")
    parts += [f"{line[key]:.0f}% {words}" for key, words in
              (("unsent", "found no free connection"), ("late", "answered too late"),
               ("lost", "lost")) if line[key] >= 0.5]
    return ", ".join(parts)


def run_one(lab, ops, store):
    say(f"overload: {ops}, {store}")
    for_server, for_clients = processors()
    shape = ["--size", VALUE_BYTES, "--keys", lab.keys_of("bench")]
    milliseconds = 3 * lab.milliseconds
    with running_ordna(lab, store, data="overload", pin=for_server) as server:
        lab.fill(server.port, ["bench"])
        peak = lab.load(server.port, ops, *shape, "--connections", 256, "--ms", milliseconds,
                        pin=for_clients)["ops_per_s"]
        result = lab.load(server.port, ops, *shape, "--connections", CONNECTIONS, "--ms",
                          milliseconds, "--rate", int(TIMES * peak), "--give-up-ms", PATIENCE_MS,
                          "--pid", server.pid, pin=for_clients)
    return describe(ops, store, peak, result)


def run_overload(lab):
    lines = []
    for ops, store in ROWS:
        lab.fresh_folder("overload")
        lines.append(run_one(lab, ops, store))
    return lines
