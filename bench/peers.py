"""Other programs under the same load, when they are installed: to see figures in proportion."""

import csv
import io
import shutil
import socket
import subprocess
import tempfile

from lab import VALUE_BYTES, call, create_table, free_port, running, running_echo, say

CONNECTIONS = 64
REDIS_REQUESTS_A_MS = 40


def answers_ping(port):
    with socket.socket() as peer:
        try:
            peer.connect(("127.0.0.1", port))
            peer.sendall(b"PING\r\n")
            return peer.recv(1) == b"+"
        except OSError:
            return False


def redis_line(lab, server, command, name):
    """redis-benchmark counts from when it sends; it is a closed loop."""
    before_us = server.cpu_us()
    requests = max(lab.milliseconds * REDIS_REQUESTS_A_MS, 1000)
    done = subprocess.run(
        ["redis-benchmark", "-p", str(server.port), "-c", str(CONNECTIONS), "-n", str(requests),
         "-d", str(VALUE_BYTES), "-r", str(lab.keys), "-t", command, "--csv"],
        stdout=subprocess.PIPE, text=True, check=True)
    row = list(csv.DictReader(io.StringIO(done.stdout)))[0]
    return {"what": name, "store": "redis", "ops_per_s": float(row["rps"]),
            "cpu_us": (server.cpu_us() - before_us) / requests,
            "p50_us": 1000 * float(row["p50_latency_ms"]),
            "p99_us": 1000 * float(row["p99_latency_ms"])}


def run_redis(lab):
    if not (shutil.which("redis-server") and shutil.which("redis-benchmark")):
        return []
    say("Redis")
    port = free_port()
    with tempfile.TemporaryDirectory(dir=lab.folder) as folder:
        command = ["redis-server", "--port", port, "--bind", "127.0.0.1", "--dir", folder,
                   "--save", "", "--appendonly", "yes", "--appendfsync", "always"]
        with running(command, port, ready=answers_ping) as server:
            return [redis_line(lab, server, "set", "SET, synced"),
                    redis_line(lab, server, "get", "GET")]


def dynamodb_line(lab, server, ops, name):
    result = lab.load_for(server.port, server.pid, ops, CONNECTIONS, lab.keys_of("bench_sorted"))
    with running_echo(lab, result["body_bytes_per_op"]) as echo:
        bare = lab.load_for(echo.port, echo.pid, ops, CONNECTIONS, lab.keys)
    return {"what": ops, "store": name, "ops_per_s": result["ops_per_s"],
            "cpu_us": result["cpu_us_per_op"], "p50_us": result["p50_us"],
            "p99_us": result["p99_us"], "p999_us": result["p999_us"],
            "rss_mb": result["rss_kb"] / 1024,
            "is": result["cpu_us_per_op"] / bare["cpu_us_per_op"], "unit": "x echo"}


def lists_tables(port):
    try:
        call(port, "ListTables", {})
        return True
    except OSError:
        return False


def run_dynalite(lab):
    program = shutil.which("dynalite")
    if program is None:
        return []
    say("dynalite")
    port = free_port()
    with running([program, "--port", port], port, ready=lists_tables) as server:
        create_table(port, "bench", ["pk"])
        lab.fill_table(port, "bench", lab.keys_of("bench_sorted"), VALUE_BYTES)
        return [dynamodb_line(lab, server, ops, "dynalite") for ops in ("GetItem", "PutItem")]


def run_peers(lab):
    return run_redis(lab) + run_dynalite(lab)
