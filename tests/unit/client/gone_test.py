"""Kills a server under clients, who must end soon. Usage: gone_test.py PROGRAM"""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "e2e"))
import e2e  # noqa: E402 the path comes first

PATIENCE_SECONDS = 60


def main(program):
    server = e2e.Server("--store", "memory")
    server.__enter__()
    try:
        with subprocess.Popen([program, server.endpoint], stdout=subprocess.PIPE, text=True,
                              env=e2e.client_environment()) as clients:
            said = clients.stdout.readline()
            server.process.kill()
            try:
                code = clients.wait(PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                clients.kill()
                code = "no end"
    finally:
        server.stop()
    if said.strip() != "calling" or code != 0:
        print(f"the clients said {said!r} and ended with {code}")
        return 1
    return 0


sys.exit(main(sys.argv[1]))
