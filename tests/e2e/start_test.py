#!/usr/bin/env python3
"""How the program starts, refuses to start, and stops: one clear line, the right exit code, and
nothing changed on disk by a start that failed."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.request

import e2e


def run(*arguments):
    return subprocess.run([e2e.program(), *arguments], capture_output=True, text=True, timeout=30,
                          check=False)


def call(endpoint, operation, body):
    request = urllib.request.Request(
        endpoint, json.dumps(body).encode(),
        {"X-Amz-Target": f"DynamoDB_20120810.{operation}",
         "Content-Type": "application/x-amz-json-1.0"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def table(name):
    return {"TableName": name, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}


def contents(folder):
    """Every file below, with its bytes and times."""
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else None)
            for path in pathlib.Path(folder).rglob("*")}


class StartTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="ordna-start-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.data = os.path.join(self.folder, "data")

    def refuse(self, *arguments, word, code=1):
        """A start that fails says why in one line, and leaves the folder as it was."""
        before = contents(self.folder)
        ended = run("serve", "--port", "0", *arguments)
        self.assertEqual(ended.returncode, code, ended.stderr)
        self.assertEqual(ended.stdout, "")
        self.assertEqual(len(ended.stderr.splitlines()), 1, ended.stderr)
        self.assertIn(word, ended.stderr)
        self.assertEqual(contents(self.folder), before)

    def test_a_port_in_use(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = str(taken.getsockname()[1])
            self.refuse("--port", port, "--data", self.data, word=port)
        self.assertFalse(os.path.exists(self.data))

    def test_an_address_that_is_not_loopback(self):
        self.refuse("--host", "0.0.0.0", "--data", self.data, word="--insecure-bind")

    def test_an_address_that_is_none(self):
        self.refuse("--host", "nowhere", "--data", self.data, word="nowhere")

    def test_a_directory_whose_parent_is_missing(self):
        self.refuse("--data", os.path.join(self.folder, "no", "data"), word="no/data")

    def test_a_file_in_place_of_the_directory(self):
        pathlib.Path(self.data).write_text("a file")
        self.refuse("--data", self.data, word=self.data)

    def test_a_directory_that_holds_something_else(self):
        os.mkdir(self.data)
        pathlib.Path(self.data, "letter.txt").write_text("mine")
        self.refuse("--data", self.data, word=self.data)

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_a_directory_that_may_not_be_written(self):
        os.mkdir(self.data, 0o500)
        self.refuse("--data", self.data, word=self.data)

    def test_a_directory_of_a_newer_format(self):
        with e2e.Server(data=self.data):
            pass
        mark = pathlib.Path(self.data, "FORMAT")
        mark.write_text(mark.read_text().replace("1", "999"))
        self.refuse("--data", self.data, word="newer")

    def test_a_directory_that_another_server_has(self):
        with e2e.Server(data=self.data):
            self.refuse("--data", self.data, word="use")

    def test_options_that_make_no_sense(self):
        for arguments in (["--port", "70000"], ["--port", "x"], ["--store", "paper"],
                          ["--durability", "often"], ["--threads", "0"], ["--colour"], ["extra"]):
            ended = run("serve", *arguments)
            self.assertEqual(ended.returncode, 2, arguments)
            self.assertIn("ordna serve --help", ended.stderr)

    def test_commands(self):
        self.assertEqual(run("version").stdout.split()[0], "ordna")
        self.assertIn("serve", run("help").stdout)
        self.assertEqual(run("help").returncode, 0)
        self.assertEqual(run("nothing").returncode, 2)
        self.assertEqual(run().returncode, 2)
        self.assertIn("--insecure-bind", run("serve", "--help").stdout)

    def test_both_signals_stop_it_cleanly_and_leave_nothing_to_replay(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with e2e.Server(data=self.data) as server:
                call(server.endpoint, "CreateTable", table(f"table-{int(number)}"))
                server.process.send_signal(number)
                self.assertEqual(server.process.wait(30), 0)
            logs = list(pathlib.Path(self.data, "db").glob("*.log"))
            self.assertEqual([log.stat().st_size for log in logs if log.stat().st_size], [])

    def test_requests_in_flight_are_answered_when_it_stops(self):
        with e2e.Server(data=self.data) as server:
            call(server.endpoint, "CreateTable", table("busy"))
            answered, lost = [], []
            started = threading.Barrier(9)

            def write(writer):
                started.wait()
                for number in range(100000):
                    item = {"id": {"S": f"{writer}-{number}"}}
                    try:
                        call(server.endpoint, "PutItem", {"TableName": "busy", "Item": item})
                    except OSError:
                        lost.append(item)
                        return
                    answered.append(item)

            writers = [threading.Thread(target=write, args=(n,)) for n in range(8)]
            for writer in writers:
                writer.start()
            started.wait()
            while len(answered) < 100:
                pass
            server.process.terminate()
            self.assertEqual(server.process.wait(30), 0)
            for writer in writers:
                writer.join()
        with e2e.Server(data=self.data) as server:
            for item in answered:
                found = call(server.endpoint, "GetItem", {"TableName": "busy", "Key": item})
                self.assertEqual(found.get("Item"), item)

    def test_memory_forgets_and_touches_no_disk(self):
        with e2e.Server("--store", "memory", data=self.data) as server:
            call(server.endpoint, "CreateTable", table("gone"))
        self.assertFalse(os.path.exists(self.data))


if __name__ == "__main__":
    sys.exit(e2e.main())
