#!/usr/bin/env python3
"""A disk that fills up: reads go on, writes are refused and say why, and go on once there is space.

Without a restart, and without losing anything that was acknowledged. On a small file system of its own,
where this user may mount one; and with a file system that claims to be full (io_fault.c).
"""

import errno
import os
import shutil
import subprocess
import sys
import time
import unittest

from faults import Faults, library

import runner
from ledger import CREATE_TABLE, check_all, check_held, look, make_item
from ordna_server import Server, StartFailed, Unknown, preload_environment, scratch_dir
from writers import Everyone, Writer, put_request

SEED = 11
# The log and the one after it are given their space ahead, some 36 MB each.
DISK_BYTES = 160 * 1024 * 1024
LEFT_BYTES = 6 * 1024 * 1024  # by the file that fills the rest
INSIDE = "--in-a-namespace-of-its-own"
MAX_WRITES = 3000
RECOVERY_SECONDS = 10.0


class BigWriter(Writer):
    """Its items are large enough to fill a disk."""

    def next_item(self, key):
        item = super().next_item(key)
        while len(item["body"]["S"]) < 20000:
            self.seq += 1
            item = make_item(key, self.seq)
        return item


class FullDiskCase:
    """What holds for every way to be full: `fill` and `make_space` differ."""

    environment = {}

    def setUp(self):
        self.data = self.make_dir()
        self.server = Server(self.data, environment=self.environment).start()
        self.addCleanup(self.end)
        self.writer = BigWriter(0, SEED)
        self.client = self.server.client()
        self.client.call("CreateTable", CREATE_TABLE)
        for _ in range(100):
            self.writer.step(self.client)

    def end(self):
        self.client.close()
        if self.server.is_running():
            self.server.kill()

    def write(self):
        """Nothing, or what the refusal said."""
        try:
            key = self.writer.some_key()
            item = self.writer.next_item(key)
            self.writer.write(self.client, "PutItem", put_request(item), {key: item})
        except Unknown as fault:
            return str(fault)
        return None

    def write_until_refused(self):
        for _ in range(MAX_WRITES):
            refusal = self.write()
            if refusal:
                return
        self.fail("the disk never got full")

    def check_refusals(self):
        """The client is told that it failed, and whoever looks at the log why."""
        for _ in range(5):
            refusal = self.write()
            self.assertIsNotNone(refusal, "a write was taken by a full disk")
            self.assertIn("500 InternalServerError", refusal)
        self.assertIn("no space left", self.server.errors().lower())

    def check_reads(self):
        whole = Everyone([self.writer]).joined()
        self.assertEqual(check_held(whole, look(self.client)), [])

    def write_until_taken(self):
        deadline = time.monotonic() + RECOVERY_SECONDS
        while self.write():
            self.assertLess(time.monotonic(), deadline, "writes did not go on once there was space")
            time.sleep(0.05)

    def check_everything(self):
        self.assertEqual(self.writer.faults, [])
        whole = Everyone([self.writer]).joined()
        self.assertEqual(check_all(self.client, whole), [])
        Everyone([self.writer]).settle(whole)

    def test_service_returns_with_the_space(self):
        for _ in range(2):
            self.fill()
            self.write_until_refused()
            self.check_refusals()
            self.check_reads()
            self.make_space()
            self.write_until_taken()
            self.check_everything()
            for _ in range(50):
                self.writer.step(self.client)
        self.restart()
        self.check_everything()

    def test_a_server_killed_on_a_full_disk_starts_again_once_there_is_space(self):
        self.fill()
        self.write_until_refused()
        self.client.close()
        self.server.kill()
        self.start_on_full_disk()
        self.make_space()
        self.server.start()
        self.client = self.server.client()
        self.check_everything()

    def start_on_full_disk(self):
        """It may not be able to, and says why then."""
        try:
            self.server.start().kill()
        except StartFailed as fault:
            self.assertIn("ordna: ", str(fault))
            self.assertIn("no space left", str(fault).lower())

    def restart(self):
        self.client.close()
        self.server.kill()
        self.server.start()
        self.client = self.server.client()


class ClaimedFullTest(FullDiskCase, unittest.TestCase):
    """The file system says that it is full."""

    def make_dir(self):
        folder = scratch_dir("full")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        self.faults = Faults()
        self.environment = {**self.faults.environment(), **preload_environment(library("io_fault"))}
        return f"{folder}/data"

    def fill(self):
        self.faults.arm(self.data, ["write", "allocate", "mkdir"], "fail", errno.ENOSPC)

    def make_space(self):
        self.faults.disarm()


@unittest.skipUnless(INSIDE in sys.argv, "no file system can be mounted here")
class FullTest(FullDiskCase, unittest.TestCase):
    """The file system is full."""

    def make_dir(self):
        self.folder = scratch_dir("full")
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", self.folder], check=True)
        self.addCleanup(os.rmdir, self.folder)
        self.addCleanup(subprocess.run, ["umount", "-l", self.folder], check=True)
        return f"{self.folder}/data"

    def fill(self):
        free = os.statvfs(self.folder)
        size = free.f_bavail * free.f_frsize - LEFT_BYTES
        with open(f"{self.folder}/filler", "wb") as filler:
            os.posix_fallocate(filler.fileno(), 0, size)

    def make_space(self):
        os.remove(f"{self.folder}/filler")


def can_mount():
    """In a name space of its own, where what is mounted goes with the last process."""
    probe = ["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return shutil.which("unshare") and subprocess.run(
        probe, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


if INSIDE not in sys.argv and can_mount():
    os.execvp("unshare", ["unshare", "-rm", sys.executable, *sys.argv, INSIDE])
sys.exit(runner.main())
