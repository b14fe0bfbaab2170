#!/usr/bin/env python3
"""Runs every test of build-test, then each fuzz target for a while, and counts the cases.

Closes with the line "N passed, N failed". `make test` builds what it needs first.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build-test"
FUZZ_SECONDS = 20
PATIENCE = 4  # for machines that do other things meanwhile

# How a test program says what became of its cases: cmocka's words, and our own closing line.
PASSED = re.compile(r"^\[  PASSED  \] (\d+) test\(s\)\.|^(\d+) passed, \d+ failed$", re.M)
FAILED = re.compile(r"^\[  FAILED  \] (?:tests: )?(\d+) test\(s\)|^\d+ passed, (\d+) failed$", re.M)


def run_meson():
    log = BUILD / "meson-logs" / "testlog.json"
    log.unlink(missing_ok=True)
    env = dict(os.environ, ORDNA_PROGRAM=str(ROOT / "build" / "ordna"))
    # Meson builds what is for tests alone; since 1.7 nothing else does.
    command = ["meson", "test", "-C", str(BUILD), "--print-errorlogs",
               "--timeout-multiplier", str(PATIENCE)]
    ended = subprocess.run(command, env=env, check=False)
    if not log.exists():
        return 0, 1
    results = [json.loads(line) for line in log.read_text(errors="replace").splitlines()]
    counts = [count_cases(result) for result in results]
    passed = sum(count[0] for count in counts)
    failed = sum(count[1] for count in counts)
    return passed, failed or (1 if ended.returncode else 0)


def count_cases(result):
    """A program that names no cases is one case; one that fails without saying so failed one."""
    if result["result"] == "SKIP":
        return 0, 0
    ok = result["result"] in ("OK", "EXPECTEDFAIL")
    text = (result.get("stdout") or "") + "\n" + (result.get("stderr") or "")
    passed = sum_matches(PASSED, text)
    failed = sum_matches(FAILED, text)
    if ok:
        return max(passed, 1), 0
    return passed, max(failed, 1)


def sum_matches(pattern, text):
    return sum(int(next(filter(None, match.groups()), 0)) for match in pattern.finditer(text))


def run_fuzz():
    if not any((ROOT / "tests" / "fuzz").glob("*_fuzz.c")):
        return 0, 0
    ended = subprocess.run([ROOT / "tools" / "fuzz.sh", str(FUZZ_SECONDS)], check=False,
                           stdout=subprocess.PIPE, text=True)
    sys.stdout.write(ended.stdout)
    passed = sum_matches(PASSED, ended.stdout)
    failed = sum_matches(FAILED, ended.stdout)
    return passed, failed or (1 if ended.returncode else 0)


def main():
    counts = [run_meson(), run_fuzz()]
    passed = sum(count[0] for count in counts)
    failed = sum(count[1] for count in counts)
    if passed == 0:
        failed = max(failed, 1)  # a run without a test proves nothing
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
