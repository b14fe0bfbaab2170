#!/bin/sh
# Builds the load generator and its controls beside the release program, and measures.
# Usage: tools/bench.sh [OPTION OF bench/run.py]...
set -eu
cd "$(dirname "$0")/.."
ninja -C build bench
exec bench/run.py --build build "$@"
