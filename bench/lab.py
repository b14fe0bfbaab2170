"""Programs under test: how they are started, filled and loaded."""

import contextlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

VALUE_BYTES = 1024
PAGE_ITEMS = 2000  # in the partition that pages are read from: twice what fits one
FIELDS = 10

# Tables: their keys, the operation that fills them, and one in how many of the run's keys they
# have.
TABLES = {
    "bench": (["pk"], "BatchWriteItem", 1),
    "bench_sorted": (["pk", "sk"], "LoadSorted", 5),
    "bench_fields": (["pk"], "LoadFields", 5),
    "bench_pages": (["pk", "sk"], "LoadPages", None),
}
ITEMS_A_BATCH = 25


class Failed(Exception):
    """What was to be measured does not work."""


class Lab:
    """Where the programs are, and a folder for what they write."""

    def __init__(self, build, keys, milliseconds):
        self.ordna = build / "ordna"
        self.programs = build / "bench"
        self.keys = keys
        self.milliseconds = milliseconds
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="bench-", dir=build))
        # The library looks beside its program for the store.
        os.environ["ORDNA_STORE_DIR"] = str((build / "src" / "storage").resolve())

    def close(self):
        shutil.rmtree(self.folder)

    def program(self, name):
        return self.programs / name

    def fresh_folder(self, name):
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        return folder

    def ordna_command(self, store, port, *options, data="rocksdb"):
        command = [self.ordna, "serve", "--port", port, "--store", store, *options]
        command += ["--data", self.folder / data] if store == "rocksdb" else []
        return [str(word) for word in command]

    def load(self, port, ops, *options, pin=None):
        """Runs the load generator and gives its lines as a dictionary."""
        return numbers(self.program("loadgen"), "--port", port, "--ops", ops, *options, pin=pin)

    def load_for(self, port, pid, ops, connections, keys, *options, milliseconds=None):
        """The same for a time, after a few requests of warming up."""
        return self.load(port, ops, "--pid", pid, "--connections", connections, "--keys", keys,
                         "--warm-up", connections * 4, "--ms", milliseconds or self.milliseconds,
                         *options)

    def keys_of(self, table):
        share = TABLES[table][2]
        return PAGE_ITEMS if share is None else max(self.keys // share, 100)

    def fill(self, port, tables=TABLES, value_bytes=VALUE_BYTES):
        for table in tables:
            create_table(port, table, TABLES[table][0])
            self.fill_table(port, table, self.keys_of(table), value_bytes)

    def fill_table(self, port, table, items, value_bytes, connections=16):
        batches = -(-items // ITEMS_A_BATCH)
        self.load(port, TABLES[table][1], "--order", "in-order", "--keys", items, "--requests",
                  batches, "--warm-up", 0, "--size", value_bytes, "--connections",
                  min(connections, batches))


def item_bytes(value_bytes=VALUE_BYTES):
    """Of an item of the table "bench", as DynamoDB counts: names and values."""
    return len("pk") + len("k00000000") + len("data") + value_bytes


def numbers(*command, pin=None):
    """Runs a program that prints lines "key=number", and gives them as a dictionary."""
    command = [str(word) for word in command]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, preexec_fn=pinned_to(pin),
                          check=False)
    if done.returncode != 0:
        raise Failed(f"failed: {' '.join(command)}")
    pairs = (line.split("=", 1) for line in done.stdout.splitlines())
    return {key: float(value) for key, value in pairs}


def pinned_to(cpus):
    return (lambda: os.sched_setaffinity(0, cpus)) if cpus else None


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


class Server:
    """A running program that answers on a port."""

    def __init__(self, process, port):
        self.process = process
        self.pid = process.pid
        self.port = port

    def cpu_us(self):
        # The clock of another process, as clock_getcpuclockid makes it.
        return time.clock_gettime_ns((~self.pid << 3) | 2) / 1000

    def settle(self, patience_s=10):
        """Waits until it has nothing more to do: flushing and compacting go on for a while."""
        deadline = time.monotonic() + patience_s
        before = self.cpu_us()
        while time.monotonic() < deadline:
            time.sleep(0.1)
            now = self.cpu_us()
            if now - before < 2000:
                return
            before = now


@contextlib.contextmanager
def running(command, port, pin=None, ready=answers):
    command = [str(word) for word in command]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=pinned_to(pin))
    try:
        while not ready(port):
            if process.poll() is not None:
                raise Failed(f"{' '.join(command)} ended with {process.returncode}")
        yield Server(process, port)
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def running_ordna(lab, store, *options, data="rocksdb", pin=None):
    port = free_port()
    options = options or ("--threads", "1")
    with running(lab.ordna_command(store, port, *options, data=data), port, pin) as server:
        yield server


@contextlib.contextmanager
def running_echo(lab, body_bytes):
    process = subprocess.Popen([str(lab.program("echo_server")), str(int(body_bytes))],
                               stdout=subprocess.PIPE, text=True)
    try:
        yield Server(process, int(process.stdout.readline().split("=")[1]))
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def time_start(command, port):
    """The process, milliseconds from before it is started to its first answer, and its memory."""
    command = [str(word) for word in command]
    began = time.monotonic_ns()
    pid = os.posix_spawn(command[0], command, os.environ,
                         file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    while not answers(port):
        if os.waitpid(pid, os.WNOHANG) != (0, 0):
            raise Failed(f"{' '.join(command)} ended at once")
    return pid, (time.monotonic_ns() - began) / 1e6, rss_mb(pid)


def end(pid, with_signal=signal.SIGTERM):
    os.kill(pid, with_signal)
    os.waitpid(pid, 0)


def rss_mb(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if "VmRSS" in line) / 1024


def disk_bytes(folder):
    """What the files below take on the disk."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())


# ---- requests ----


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
        raise Failed(f"{operation}: {response.status} {text}")
    return json.loads(text)


def create_table(port, name, keys, indexes=()):
    """`indexes` are the names of attributes; each is the key of an index that has all of them."""
    call(port, "CreateTable", {
        "TableName": name,
        "KeySchema": [{"AttributeName": key, "KeyType": kind}
                      for key, kind in zip(keys, ("HASH", "RANGE"))],
        "AttributeDefinitions": [{"AttributeName": key, "AttributeType": "S"}
                                 for key in (*keys, *indexes)],
        "BillingMode": "PAY_PER_REQUEST",
        **({"GlobalSecondaryIndexes": [
            {"IndexName": f"by-{key}", "Projection": {"ProjectionType": "ALL"},
             "KeySchema": [{"AttributeName": key, "KeyType": "HASH"}]} for key in indexes]}
           if indexes else {}),
    })
    while call(port, "DescribeTable", {"TableName": name})["Table"]["TableStatus"] != "ACTIVE":
        time.sleep(0.05)


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)
