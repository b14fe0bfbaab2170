#!/bin/sh
# Builds the load generator and its controls beside the release program, and runs them.
set -eu
cd "$(dirname "$0")/.."
ninja -C build bench
exec python3 bench/run.py --build build "$@"
