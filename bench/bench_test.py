#!/usr/bin/env python3
"""The bench works: each of its programs runs, and what they say is made a table and a picture of.
Nothing here is timed: how fast it all is does not matter.

    bench/bench_test.py BUILD
"""

import itertools
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import xml.dom.minidom

import operations
import overload
import turns
from lab import Lab, call, create_table, numbers, running_echo, running_ordna
from whole import run_typed

BENCH = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(sys.argv.pop())
RUN_EXIT_CODES = (0, 2)  # 2: void, as a run of some milliseconds may well be


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          check=False, **options)


class ProgramTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lab = Lab(BUILD, keys=200, milliseconds=50)
        cls.addClassCleanup(cls.lab.close)
        server = running_ordna(cls.lab, "memory")
        cls.port = server.__enter__().port
        cls.addClassCleanup(server.__exit__, None, None, None)
        cls.lab.fill(cls.port)

    def loadgen(self, *options, port=None):
        return run(self.lab.program("loadgen"), "--port", port or self.port, "--keys", 100,
                   "--connections", 3, *options)

    def numbers_of(self, *options, port=None):
        done = self.loadgen(*options, port=port)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {key: float(value) for key, value in
                (line.split("=", 1) for line in done.stdout.splitlines())}

    def test_an_answer_that_is_not_200_fails_the_run(self):
        call(self.port, "DeleteTable", {"TableName": "bench_pages"})
        done = self.loadgen("--ops", "QueryPage", "--requests", 5)
        create_table(self.port, "bench_pages", ["pk", "sk"])
        self.assertEqual(done.returncode, 1)
        self.assertIn("ResourceNotFoundException", done.stderr)

    def test_an_unknown_operation_is_refused(self):
        for ops in ("NoItem", "GetItem=x", "GetItem=0", ""):
            self.assertEqual(self.loadgen("--ops", ops).returncode, 1, ops)

    def test_every_operation_and_mix_is_answered(self):
        usage = run(self.lab.program("loadgen"))
        names = usage.stderr.split("operations:")[1].split()
        self.assertGreater(len(names), 15)
        for ops in names + [f"ycsb-{letter}" for letter in "abcdef"]:
            with self.subTest(ops):
                self.assertEqual(self.numbers_of("--ops", ops, "--requests", 20)["ops"], 20)

    def test_an_open_loop_accounts_for_every_request(self):
        shape = ["--rate", 200000, "--ms", 100, "--give-up-ms", 100]
        for ops in ("GetItem", "PutItem"):
            got = self.numbers_of("--ops", ops, *shape)
            became = sum(got[key] for key in ("ops", "refused", "late", "unsent", "lost"))
            self.assertEqual(became, 20000)
            self.assertEqual(got["begun"], 20000)

    def test_a_patient_open_loop_sends_everything(self):
        got = self.numbers_of("--ops", "GetItem", "--rate", 1000, "--ms", 200)
        self.assertEqual((got["ops"], got["unsent"]), (200, 0))

    def test_refusals_are_counted_by_kind(self):
        call(self.port, "DeleteTable", {"TableName": "bench_sorted"})
        got = self.numbers_of("--ops", "Query10", "--rate", 1000, "--ms", 100, "--give-up-ms",
                              5000)
        create_table(self.port, "bench_sorted", ["pk", "sk"])
        kinds = overload.kinds_of(got)
        self.assertEqual(list(kinds), ["400 ResourceNotFoundException"])
        self.assertEqual(kinds["400 ResourceNotFoundException"], got["refused"])

    def test_a_server_that_closes_after_each_answer_is_asked_again(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            answering = threading.Thread(target=close_after_answers, args=(listener, 20 + 3))
            answering.start()
            port = listener.getsockname()[1]
            got = self.numbers_of("--ops", "GetItem", "--requests", 20, "--warm-up", 0, port=port)
            answering.join()
        self.assertEqual(got["ops"], 20)

    def test_the_controls_say_what_they_reached(self):
        with running_echo(self.lab, 123) as echo:
            got = self.numbers_of("--ops", "GetItem", "--requests", 20, port=echo.port)
        self.assertEqual(got["body_bytes_per_op"], 123)
        folder = self.lab.folder
        for command in (("sync_log", folder / "log", 4, 100, 20),
                        ("raw_rocksdb", folder / "raw", 4, 100, 20)):
            if self.lab.program(command[0]).exists():
                got = numbers(self.lab.program(command[0]), *command[1:])
                self.assertGreater(got["rows_per_s"], 0)
                self.assertIn("cpu_us_per_row", got)
        got = numbers(self.lab.program("embedded"), "memory", folder / "library", 100, 100)
        self.assertEqual(set(got), {"cpu_us_get", "cpu_us_put"})
        typed = {line["what"]: line for line in run_typed(self.lab, 1)}
        self.assertEqual(len(typed), 3)

    def test_wrong_arguments_end_the_controls(self):
        for name in ("echo_server", "embedded", "mapping", "sync_log"):
            self.assertEqual(run(self.lab.program(name)).returncode, 1, name)


def close_after_answers(listener, count):
    """A connection that nothing is asked on counts too: the last answers are followed by those."""
    for _ in range(count):
        peer, _ = listener.accept()
        with peer:
            if peer.recv(65536):
                peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")


class FakeServer:
    def settle(self):
        pass


class GuardTest(unittest.TestCase):
    """The same program against itself, with times that are made up."""

    def run_with(self, first_us, second_us, control_us=(5,), wanted=True):
        series = [turns.Series(FakeServer(), writes=False) for _ in range(3)]
        control = itertools.cycle(control_us)
        costs = (lambda: first_us, lambda: second_us, lambda: next(control))
        sides = turns.Turns([lambda side=side, cost=cost: side.add({"cpu_us_per_op": cost()}, 0)
                             for side, cost in zip(series, costs)])
        return turns.run_until_equal(sides, 4, *series, wanted), sides.count

    def test_equal_sides_take_the_rounds_that_were_asked_for(self):
        differs, count = self.run_with(10, 10.4)
        self.assertLess(differs, 0.05)
        self.assertEqual(count, 4)

    def test_unequal_sides_get_more_rounds_and_are_found_out(self):
        for pair in ((10, 11), (11, 10)):
            differs, count = self.run_with(*pair)
            self.assertGreater(differs, 0.05)
            self.assertEqual(count, 4 * turns.MORE_ROUNDS)

    def test_a_control_that_changes_is_found_out(self):
        differs, count = self.run_with(10, 10, control_us=(5, 6))
        self.assertGreater(differs, 0.05)
        self.assertEqual(count, 4 * turns.MORE_ROUNDS)

    def test_nobody_waits_for_what_has_no_goal(self):
        self.assertEqual(self.run_with(10, 20, wanted=False)[1], 4)

    def test_writes_count_what_was_done_between_the_rounds(self):
        series = turns.Series(FakeServer(), writes=True)
        series.add({"ops": 100, "cpu_us_before": 1000, "cpu_us_per_op": 1}, 10)
        series.add({"ops": 90, "cpu_us_before": 2500, "cpu_us_per_op": 1}, 10)
        series.end_us = 3000
        self.assertEqual(series.cpu_us(), 10)

    def test_goals_are_judged(self):
        row = operations.ROWS[0]
        for x_echo, verdict in ((row.goal[1], "pass"), (row.goal[1] + 0.01, "short")):
            self.assertEqual(operations.judge(row, x_echo, 0)["verdict"], verdict)
        row = operations.Row("", "", "", ("MB/CPU s", 400))
        for mb, verdict in ((400, "pass"), (399, "short")):
            self.assertEqual(operations.judge(row, 0, mb)["verdict"], verdict)


class RunTest(unittest.TestCase):
    def test_a_run_of_everything_ends_in_a_table_and_a_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            result, picture = pathlib.Path(folder, "r.json"), pathlib.Path(folder, "p.svg")
            done = run(BENCH / "run.py", "--build", BUILD, "--quick", "--rounds", 1, "--ms", 20,
                       "--keys", 100, "--parts", "operations,whole,overload,curves", "--items",
                       100, 1000, "--json", result)
            self.assertIn(done.returncode, RUN_EXIT_CODES, done.stderr)
            written = json.loads(result.read_text())
            self.assertEqual(done.returncode == 2, bool(written["void"]))
            self.assertEqual("void: " in done.stdout, bool(written["void"]))
            for row in operations.ROWS:
                self.assertTrue(row.name in done.stdout or not row.quick, row.name)
            drawn = run(BENCH / "picture.py", result, picture)
            self.assertEqual(drawn.returncode, 0, drawn.stderr)
            self.check_picture(written["results"], picture)

    def test_a_peer_that_is_installed_takes_part(self):
        with tempfile.TemporaryDirectory() as folder:
            peer = pathlib.Path(folder, "dynalite")
            peer.write_text(f'#!/bin/sh\nexec "{BUILD}/ordna" serve --store memory "$@"\n')
            peer.chmod(0o755)
            env = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}")
            done = run(BENCH / "run.py", "--build", BUILD, "--ms", 20, "--keys", 100, "--parts",
                       "peers", "--json", pathlib.Path(folder, "r.json"), env=env)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("dynalite"), 2, done.stdout)

    def check_picture(self, results, picture):
        page = xml.dom.minidom.parse(str(picture))
        texts = [text.firstChild.data for text in page.getElementsByTagName("text")]
        for part in ("operations", "whole", "overload"):
            for line in results[part]:
                if "goal" in line:
                    self.assertIn(line["what"], texts)


def main():
    tests = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(tests)
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
