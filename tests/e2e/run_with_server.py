"""Runs a command against a server of its own. Usage: run_with_server.py COMMAND...

{} in the command stands for the endpoint.
"""

import subprocess
import sys

import e2e


def main(words):
    with e2e.Server() as server:
        command = [word.replace("{}", server.endpoint) for word in words]
        return subprocess.run(command, env=e2e.client_environment(), check=False).returncode


sys.exit(main(sys.argv[1:]))
