"""What the end-to-end tests share: a running server, and the closing line with the counts.

The program is $ORDNA_PROGRAM, or else $ORDNA_BUILT.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

STOP_SECONDS = 30


def program():
    path = os.environ.get("ORDNA_PROGRAM") or os.environ.get("ORDNA_BUILT")
    if not path:
        sys.exit("set ORDNA_PROGRAM to the ordna program")
    return path


class Server:
    """ordna on a free port, with its data in a folder of its own unless one is given."""

    def __init__(self, *options, data=None):
        self.options = options
        self.own_data = data is None
        self.data = data or tempfile.mkdtemp(prefix="ordna-e2e-")

    def __enter__(self):
        command = [program(), "serve", "--port", "0", "--data", self.data, *self.options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        match = re.search(r"http://[\d.]+:\d+", line)
        if not match:
            self.stop()
            raise RuntimeError(f"the server did not start: {line!r}")
        self.line = line
        self.endpoint = match[0]
        return self

    def __exit__(self, *_):
        code = self.stop()
        if code != 0:
            raise RuntimeError(f"the server ended with {code}")

    def stop(self):
        self.process.terminate()
        try:
            return self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()
        finally:
            self.process.stdout.close()
            if self.own_data:
                shutil.rmtree(self.data, ignore_errors=True)


def client_environment():
    """For AWS's clients: credentials that mean nothing, and none of this machine's settings."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    env.update(AWS_ACCESS_KEY_ID="local", AWS_SECRET_ACCESS_KEY="local",
               AWS_DEFAULT_REGION="us-east-1", AWS_REGION="us-east-1",
               AWS_EC2_METADATA_DISABLED="true", AWS_CONFIG_FILE=os.devnull,
               AWS_SHARED_CREDENTIALS_FILE=os.devnull, AWS_PAGER="", NO_PROXY="127.0.0.1")
    return env


def use_client_environment():
    env = client_environment()
    os.environ.clear()
    os.environ.update(env)


class ServerCase(unittest.TestCase):
    """Tests of one class share a server."""

    options = ()

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.options)
        cls.server.__enter__()
        cls.addClassCleanup(cls.server.__exit__)


def main():
    """Runs the tests of the calling script and closes with "N passed, N failed"."""
    program()
    tests = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(tests)
    failed = len(result.failures) + len(result.errors)
    passed = max(result.testsRun - failed - len(result.skipped), 0)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def find_tool(name):
    """Debian's before one of another origin: that is the one the tests are written for."""
    debian = pathlib.Path("/usr/bin", name)
    return str(debian) if debian.exists() else name
