"""Clients that mean no good, or have none: they stall, hang up, read nothing, send nonsense, and come
in thousands. Others are served meanwhile, and afterwards nothing is left of them."""

import contextlib
import gzip
import json
import os
import pathlib
import re
import resource
import socket
import struct
import sys
import threading
import time
import urllib.parse
import zlib

import e2e

CROWD = 2000  # connections
SPARE_FILES = 100
PATIENCE_SECONDS = 20
MB = 1024 * 1024


def wire(operation, request, *headers, body=None):
    """A whole request as bytes."""
    body = json.dumps(request).encode() if body is None else body
    lines = ["POST / HTTP/1.1", "Host: x", "Content-Type: application/x-amz-json-1.0",
             f"X-Amz-Target: DynamoDB_20120810.{operation}", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def read_answer(stream):
    """Status, headers and body of one answer; None at the end of the connection."""
    line = stream.readline()
    if not line:
        return None
    headers = {}
    while (header := stream.readline().strip()):
        name, value = header.decode().split(":", 1)
        headers[name.lower()] = value.strip()
    body = stream.read(int(headers.get("content-length", 0)))
    if "x-amz-crc32" in headers and zlib.crc32(body) != int(headers["x-amz-crc32"]):
        raise AssertionError("the checksum is of another body")
    return int(line.split()[1]), headers, body


def reset(connection):
    """Hangs up without a goodbye."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def raise_file_limit():
    """As many connections as the system lets us have, up to CROWD."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CROWD + SPARE_FILES
    limit = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    return limit - SPARE_FILES


class HostileCase(e2e.ServerCase):
    options = ("--store", "memory", "--threads", "2")

    @classmethod
    def setUpClass(cls):
        cls.crowd = raise_file_limit()
        super().setUpClass()
        at = urllib.parse.urlparse(cls.server.endpoint)
        cls.address = (at.hostname, at.port)
        cls.proc = pathlib.Path("/proc", str(cls.server.process.pid))
        cls.files = cls.count_files(cls)
        # A sanitizer keeps what is freed for a while.
        cls.keeps_memory = b"__asan_" in pathlib.Path(e2e.program()).read_bytes()
        cls.call(cls, "CreateTable", {
            "TableName": "Things", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": n, "AttributeType": "S"} for n in ("pk", "sk")],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"},
                          {"AttributeName": "sk", "KeyType": "RANGE"}]})
        for n in range(4):
            cls.call(cls, "PutItem", {"TableName": "Things", "Item": {
                "pk": {"S": "big"}, "sk": {"S": str(n)}, "v": {"S": "x" * 300_000}}})

    def tearDown(self):
        self.settle(lambda: self.count_files() <= self.files,
                    lambda: f"{self.count_files()} files are open, {self.files} were")
        self.check_both_loops_answer()

    # --- What the tests share --------------------------------------------------------------------

    def connect(self):
        return socket.create_connection(self.address, timeout=PATIENCE_SECONDS)

    def send(self, data):
        """The answer to one request on a connection of its own."""
        with self.connect() as connection:
            connection.sendall(data)
            with connection.makefile("rb") as stream:
                return read_answer(stream)

    def call(self, operation, request):
        at = urllib.parse.urlparse(self.server.endpoint)
        with socket.create_connection((at.hostname, at.port), timeout=PATIENCE_SECONDS) as connection:
            connection.sendall(wire(operation, request))
            with connection.makefile("rb") as stream:
                status, _, body = read_answer(stream)
        if status != 200:
            raise AssertionError(f"{operation}: {status} {body}")
        return json.loads(body)

    def count_files(self):
        return len(os.listdir(self.proc / "fd"))

    def resident_bytes(self):
        if self.keeps_memory:
            return 0
        status = (self.proc / "status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) * 1024

    def settle(self, done, what):
        """Waits for what must come to be; only a test that fails waits long."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not done():
            if time.monotonic() > deadline:
                self.fail(what())
            time.sleep(0.01)

    def check_both_loops_answer(self):
        """Which loop a connection goes to is the kernel's choice: some of many go to each."""
        with contextlib.ExitStack() as stack:
            many = [stack.enter_context(self.connect()) for _ in range(32)]
            for connection in many:
                connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            for connection in many:
                self.assertIn(b" 200 ", connection.recv(4096).split(b"\r\n")[0])

    def count_items(self, partition):
        answer = self.call("Query", {
            "TableName": "Things", "KeyConditionExpression": "pk = :p", "Select": "COUNT",
            "ExpressionAttributeValues": {":p": {"S": partition}}})
        return answer["Count"]

    # --- Crowds ----------------------------------------------------------------------------------

    def test_idle_connections_cost_little_and_go_without_a_trace(self):
        before = self.resident_bytes()
        with contextlib.ExitStack() as stack:
            for _ in range(self.crowd):
                stack.enter_context(self.connect())
            self.settle(lambda: self.count_files() >= self.files + self.crowd,
                        lambda: f"{self.count_files()} files are open")
            self.call("ListTables", {})
            each = (self.resident_bytes() - before) / self.crowd
        self.assertLess(each, 8 * 1024)

    def test_requests_that_stall_hold_nobody_up(self):
        whole = wire("ListTables", {})
        head_end = whole.index(b"\r\n\r\n") + 4
        beginnings = [whole[:1], whole[:40], whole[:head_end - 1], whole[:head_end], whole[:-1]]
        with contextlib.ExitStack() as stack:
            stalled = [stack.enter_context(self.connect()) for _ in range(200)]
            for n, connection in enumerate(stalled):
                connection.sendall(beginnings[n % len(beginnings)])
            self.check_both_loops_answer()
            self.call("ListTables", {})
            for n, connection in enumerate(stalled):
                connection.sendall(whole[len(beginnings[n % len(beginnings)]):])
                self.assertIn(b" 200 ", connection.recv(4096).split(b"\r\n")[0])

    def test_large_bodies_that_stall_cost_what_was_sent_of_them(self):
        before = self.resident_bytes()
        head = wire("PutItem", None, body=b"").replace(b"Length: 0", b"Length: 16777216")
        with contextlib.ExitStack() as stack:
            for _ in range(100):
                stack.enter_context(self.connect()).sendall(head + b"{" * 100)
            self.check_both_loops_answer()
            self.call("ListTables", {})
            self.assertLess(self.resident_bytes() - before, 64 * MB)

    def test_answers_that_nobody_reads_hold_nobody_up(self):
        query = wire("Query", {"TableName": "Things", "KeyConditionExpression": "pk = :p",
                               "ExpressionAttributeValues": {":p": {"S": "big"}}})
        with contextlib.ExitStack() as stack:
            greedy = [stack.enter_context(self.connect()) for _ in range(30)]
            for connection in greedy:
                connection.sendall(query * 3)
            self.check_both_loops_answer()
            self.call("ListTables", {})
            for connection in greedy[:5]:
                with connection.makefile("rb") as stream:
                    for _ in range(3):
                        status, _, body = read_answer(stream)
                        self.assertEqual((status, json.loads(body)["Count"]), (200, 4))

    # --- Hang-ups --------------------------------------------------------------------------------

    def test_who_hangs_up_in_a_request_has_written_all_or_nothing(self):
        put = wire("PutItem", {"TableName": "Things", "Item": {"pk": {"S": "cut"}, "sk": {"S": "1"}}})
        for cut in range(1, len(put)):
            connection = self.connect()
            connection.sendall(put[:cut])
            reset(connection) if cut % 2 else connection.close()
        self.assertEqual(self.count_items("cut"), 0)

    def test_who_hangs_up_before_the_answer_does_no_harm_under_load(self):
        done = threading.Event()
        faults = []

        def load():
            while not done.is_set():
                try:
                    self.call("UpdateItem", {
                        "TableName": "Things", "Key": {"pk": {"S": "load"}, "sk": {"S": "1"}},
                        "UpdateExpression": "ADD n :n", "ExpressionAttributeValues": {":n": {"N": "1"}}})
                except Exception as fault:  # noqa: BLE001 - told below
                    faults.append(fault)

        requests = [
            wire("PutItem", {"TableName": "Things", "Item": {"pk": {"S": "gone"}, "sk": {"S": "1"}}}),
            wire("Scan", {"TableName": "Things"}),
            wire("ListTables", {}),
            b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        ]
        threads = [threading.Thread(target=load) for _ in range(4)]
        for thread in threads:
            thread.start()
        for n in range(400):
            connection = self.connect()
            connection.sendall(requests[n % len(requests)] * (1 + n % 3))
            reset(connection) if n % 2 else connection.close()
        done.set()
        for thread in threads:
            thread.join()
        self.assertEqual(faults, [])
        self.settle(lambda: self.count_items("gone") == 1, lambda: "the whole puts were not written")

    # --- Nonsense --------------------------------------------------------------------------------

    def test_nonsense_is_refused_and_the_connection_closed(self):
        head = b"POST / HTTP/1.1\r\nHost: x\r\n"
        for nonsense in (
                b"\x00" * 100, b"\r\n\r\n \r\n", b"POST\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n",
                head + b"Content-Length: -1\r\n\r\n",
                head + b"Content-Length: 99999999999999999999999\r\n\r\n",
                head + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
                head + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                head + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
                head + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
                head + b"Transfer-Encoding: chunked\r\n\r\n1000001\r\n",
                head + b"Transfer-Encoding: gzip\r\n\r\n",
                head + b"A: b\r\n" * 1000 + b"\r\n",
                head + b"No colon\r\n\r\n", head + b": no name\r\n\r\n",
                b"A" * 20000):
            with self.subTest(nonsense=nonsense[:80]), self.connect() as connection:
                connection.sendall(nonsense)
                connection.shutdown(socket.SHUT_WR)
                with connection.makefile("rb") as stream:
                    answer = read_answer(stream)
                    self.assertTrue(answer is None or 400 <= answer[0] <= 505, answer)
                    self.assertEqual(stream.read(1), b"")

    def test_bodies_of_nonsense_are_refused_and_the_connection_lives(self):
        serialization = {"__type": "com.amazon.coral.service#SerializationException"}
        with self.connect() as connection, connection.makefile("rb") as stream:
            for body in (b"{", b"[]", b"null", b'"a"', b"{}{}", b"{\"a\":\"\xff\"}", b"\xef\xbb\xbf{}",
                         b"{\"TableName\":\"\\ud800\"}", b"{'a':1}", b"{\"a\":1,}", b"{\"a\":NaN}",
                         b"[" * 100_000, b"{\"a\":" * 100_000, b"\x00", b" " * 1000):
                with self.subTest(body=body[:40]):
                    connection.sendall(wire("GetItem", None, body=body))
                    status, _, answer = read_answer(stream)
                    self.assertEqual((status, json.loads(answer)), (400, serialization))

    def test_gzip_that_is_none_or_too_much(self):
        plain = b'{"TableName": "Things"}'
        packed = gzip.compress(plain)
        rows = (
            (packed, 200), (packed[:-1], 400), (packed[:-8] + b"\0" * 8, 400), (packed[1:], 400),
            (b"\x1f\x8b", 400), (plain, 400), (gzip.compress(b" " * (17 * MB)), 413))
        for body, status in rows:
            with self.subTest(body=body[:30]):
                request = wire("DescribeTable", None, "Content-Encoding: gzip", body=body)
                self.assertEqual(self.send(request)[0], status)

    def test_thousands_of_requests_in_one_burst_are_answered_in_their_order(self):
        burst = b"".join(wire("DescribeTable", {"TableName": f"Absent{n}"}) for n in range(3000))
        with self.connect() as connection, connection.makefile("rb") as stream:
            sender = threading.Thread(target=connection.sendall, args=(burst,))
            sender.start()
            for n in range(3000):
                status, _, body = read_answer(stream)
                self.assertEqual(status, 400)
                self.assertIn(f"Absent{n} not found", json.loads(body)["message"])
            sender.join()

    # --- All at once -----------------------------------------------------------------------------

    def test_after_a_storm_memory_is_about_where_it_was(self):
        def storm():
            big = b'{"TableName":"Things","Item":{"pk":{"S":"a"},"l":{"L":[' + b'{"S":"x"},' * 300_000
            batch = {"RequestItems": {"Things": {"Keys": [
                {"pk": {"S": "big"}, "sk": {"S": str(n)}} for n in range(4)]}}}
            for n in range(6):
                self.send(wire("PutItem", None, body=big + b'{"S":"x"}]}}}'))
                self.send(wire("PutItem", None, body=big))
                self.send(wire("BatchGetItem", batch))
                connection = self.connect()
                connection.sendall(wire("PutItem", None, body=big)[:MB * n])
                reset(connection)

        before = self.resident_bytes()
        threads = [threading.Thread(target=storm) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        # The server looks every 10 seconds whether it has much to give back.
        self.settle(lambda: self.resident_bytes() - before < 100 * MB,
                    lambda: f"{(self.resident_bytes() - before) / MB:.0f} MB more than before")


if __name__ == "__main__":
    sys.exit(e2e.main())
