"""A server to be killed, and a client that knows what it was told.

The program is $ORDNA_PROGRAM, or else $ORDNA_BUILT.
"""

import atexit
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

STOP_SECONDS = 30
START_SECONDS = 30
ANSWER_SECONDS = 30
MAX_HEAD_BYTES = 64 * 1024

RUNNING = set()

HEAD = ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\n"
        "X-Amz-Date: 20260101T000000Z\r\nAuthorization: AWS4-HMAC-SHA256 "
        "Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;"
        "x-amz-target, Signature=" + "0" * 64 + "\r\nX-Amz-Target: DynamoDB_20120810.{}\r\n"
        "Content-Length: {}\r\n\r\n")


class Refused(Exception):
    """The server answered with an error: it has not done what it was asked for."""

    def __init__(self, status, kind, message):
        super().__init__(f"{status} {kind}: {message}")
        self.status = status
        self.kind = kind
        self.message = message


class Unknown(Exception):
    """No answer, or one that says that nobody knows: it may have been done or not."""


class StartFailed(Exception):
    """The program ended before it listened; what it said is the message."""


def program():
    path = os.environ.get("ORDNA_PROGRAM") or os.environ.get("ORDNA_BUILT")
    if not path:
        sys.exit("set ORDNA_PROGRAM to the ordna program")
    return path


def scratch_dir(prefix):
    """In memory where there is such a place: what is tested here is not the disk's speed."""
    memory = "/dev/shm"
    usable = os.path.isdir(memory) and os.access(memory, os.W_OK)
    return tempfile.mkdtemp(prefix=f"ordna-{prefix}-", dir=memory if usable else None)


def preload_environment(*modules):
    """So that the program loads them first, in this order, behind its own sanitizer if it has one."""
    libraries = subprocess.run(["ldd", program()], stdout=subprocess.PIPE, text=True, check=False)
    sanitizer = re.search(r"=> (\S*/lib[a]san\.so\S*)", libraries.stdout)
    return {"LD_PRELOAD": " ".join(([sanitizer[1]] if sanitizer else []) + [str(name) for name in modules])}


class Server:
    """ordna on a free port, over a data directory that outlives it."""

    def __init__(self, data, *options, environment=None):
        self.command = [program(), "serve", "--port", "0", "--data", str(data), *options]
        self.environment = dict(os.environ, **(environment or {}))
        self.process = None
        self.port = None
        self.said = None

    def spawn(self):
        self.said = tempfile.TemporaryFile()
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=self.said,
                                        env=self.environment)
        RUNNING.add(self.process)

    def start(self):
        """Returns once the server listens."""
        self.spawn()
        line = self.process.stdout.readline().decode()
        match = re.search(r"http://[\d.]+:(\d+)", line)
        if not match:
            code = self.process.wait(START_SECONDS)
            raise StartFailed(f"exit code {code}: {self.errors()}")
        self.port = int(match[1])
        return self

    def errors(self):
        self.said.seek(0)
        return self.said.read().decode(errors="replace").strip()

    def is_running(self):
        return self.process.poll() is None

    def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        self.process.wait()
        self.forget()

    def stop(self):
        """Asks it to stop; returns its exit code."""
        self.process.terminate()
        try:
            return self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return -signal.SIGKILL
        finally:
            self.forget()

    def forget(self):
        RUNNING.discard(self.process)
        self.process.stdout.close()
        self.port = None

    def client(self):
        return Client(self.port)


class Client:
    """One connection, kept alive. Not for several threads at once."""

    def __init__(self, port, timeout=ANSWER_SECONDS):
        self.port = port
        self.timeout = timeout
        self.socket = None
        self.received = b""

    def close(self):
        if self.socket is not None:
            self.socket.close()
            self.socket = None

    def connect(self):
        self.socket = socket.create_connection(("127.0.0.1", self.port), self.timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = b""

    def call(self, operation, request):
        """The answer's JSON. Refused, or Unknown when the request may have had an effect or not."""
        try:
            status, body = self.exchange(operation, json.dumps(request).encode())
        except (OSError, ValueError) as fault:
            self.close()
            raise Unknown(str(fault)) from fault
        answer = json.loads(body)
        if status == 200:
            return answer
        kind = answer.get("__type", "").rpartition("#")[2]
        message = answer.get("message", answer.get("Message", ""))
        if status >= 500:
            raise Unknown(f"{status} {kind}: {message}")
        raise Refused(status, kind, message)

    def exchange(self, operation, body):
        if self.socket is None:
            self.connect()
        self.socket.sendall(HEAD.format(operation, len(body)).encode() + body)
        head = self.take_head()
        length = int(re.search(rb"\r\ncontent-length: *(\d+)", head, re.I)[1])
        return int(head[9:12]), self.take(length)

    def take_head(self):
        while (end := self.received.find(b"\r\n\r\n")) < 0:
            if len(self.received) > MAX_HEAD_BYTES:
                raise ValueError("the answer's head has no end")
            self.receive()
        return self.take(end + 4)

    def take(self, length):
        while len(self.received) < length:
            self.receive()
        taken, self.received = self.received[:length], self.received[length:]
        return taken

    def receive(self):
        piece = self.socket.recv(256 * 1024)
        if not piece:
            raise ConnectionError("the connection ended")
        self.received += piece


class ScratchDir:
    """A directory that goes when all went well, and stays to be looked at when not."""

    def __init__(self, prefix, keep=False):
        self.path = scratch_dir(prefix)
        self.keep = keep

    def __enter__(self):
        return self.path

    def __exit__(self, kind, *_):
        if kind is None and not self.keep:
            shutil.rmtree(self.path, ignore_errors=True)
        else:
            print(f"the data is left in {self.path}", flush=True)


@atexit.register
def end_running():
    """No test leaves a server behind, however it ends."""
    for process in RUNNING:
        process.kill()
        process.wait()


def seconds_in_line(process):
    """How long the main thread of `process` has waited for a processor that others used."""
    try:
        with open(f"/proc/{process}/schedstat") as numbers:
            return int(numbers.read().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0
