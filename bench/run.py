#!/usr/bin/env python3
"""Measures ordna against its goals, on this machine, and prints one table.

    bench/run.py [--quick] [--only WORD] [--parts operations,whole,overload,peers,curves]

Machines are noisy and differ, so most goals are ratios: the CPU time that the server spends on an
operation, to that of a bare libuv + llhttp server (bench/echo_server.c) that gets the same bytes
and answers as many. Both are measured in turns, and so is the same program once more, to see what
the run's figures are worth: when it differs from itself by more than 5% the run is void, and the
exit code 2. docs/performance.md says more.
"""

import argparse
import json
import os
import pathlib
import sys

from curves import run_curves
from lab import Failed, Lab
from operations import run_operations
from overload import run_overload
from peers import run_peers
from report import describe_machine, machine_line, print_curves, print_lines
from turns import MOST_DIFFERENCE
from whole import run_whole

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = {
    "operations": lambda lab, args: run_operations(lab, args.rounds, args.quick, args.only),
    "whole": lambda lab, args: run_whole(lab, args.rounds),
    "overload": lambda lab, args: run_overload(lab, args.quick),
    "peers": lambda lab, args: run_peers(lab),
    "curves": lambda lab, args: run_curves(lab, args.items),
}
USUAL = "operations,whole,overload,peers"
VOID = 2


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--quick", action="store_true", help="the goals, in under two minutes")
    parser.add_argument("--parts", help=f"of {', '.join(PARTS)} ({USUAL})")
    parser.add_argument("--only", default="", help="operations whose names have this in them")
    parser.add_argument("--items", type=int, nargs="+", help="of the curve (10000 1000000)")
    parser.add_argument("--rounds", type=int, help="how many (5; quick: 3)")
    parser.add_argument("--ms", type=int, help="of each round (1000; quick: 400)")
    parser.add_argument("--keys", type=int, help="items of 1 KB (50000; quick: 20000)")
    parser.add_argument("--json", type=pathlib.Path, help="where results go (BUILD/bench.json)")
    args = parser.parse_args()
    usual = (3, 400, 20000) if args.quick else (5, 1000, 50000)
    args.rounds = args.rounds or usual[0]
    args.ms = args.ms or usual[1]
    args.keys = args.keys or usual[2]
    args.parts = (args.parts or ("operations" if args.only else USUAL)).split(",")
    if unknown := [part for part in args.parts if part not in PARTS]:
        parser.error(f"no such part: {', '.join(unknown)}")
    return args


def run_parts(args):
    lab = Lab(args.build.resolve(), args.keys, args.ms)
    try:
        return {part: PARTS[part](lab, args) for part in args.parts}
    finally:
        lab.close()


def find_void(lines):
    """Goals that this run cannot speak about."""
    return [f"{line['what']}, {line['store']}: {line['differs']:.1%}" for line in lines
            if "goal" in line and line.get("differs", 0) > MOST_DIFFERENCE]


def write_json(args, machine, load, results, void):
    path = args.json or args.build / "bench.json"
    path.write_text(json.dumps({
        "machine": machine, "load": load, "void": void, "keys": args.keys, "ms": args.ms,
        "rounds": args.rounds, "results": results}, indent=1) + "\n")
    print(f"written to {path}")


def main():
    args = parse_args()
    before = os.getloadavg()[0]
    try:
        results = run_parts(args)
    except Failed as failure:
        sys.exit(f"bench: {failure}")
    load = [before, os.getloadavg()[0]]
    lines = [line for part, of_part in results.items() if part != "curves" for line in of_part]
    print_lines(lines)
    print_curves(results.get("curves", []))
    machine = describe_machine()
    print(machine_line(machine, load))
    void = find_void(lines)
    write_json(args, machine, load, results, void)
    if void:
        print(f"void: the same program differs from itself by more than {MOST_DIFFERENCE:.0%}: "
              + "; ".join(void))
    return VOID if void else 0


if __name__ == "__main__":
    sys.exit(main())
