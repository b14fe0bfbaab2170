"""What came out, as tables on the terminal and as JSON."""

import os
import pathlib
import platform
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Heading, key, and how the value is written.
COLUMNS = [
    ("what", "what", "{}"), ("store", "store", "{}"), ("per s", "ops_per_s", "{:,.0f}"),
    ("CPU us", "cpu_us", "{:,.2f}"), ("p50 us", "p50_us", "{:,.0f}"),
    ("p99 us", "p99_us", "{:,.0f}"), ("p99.9 us", "p999_us", "{:,.0f}"),
    ("RSS MB", "rss_mb", "{:,.0f}"), ("same", "differs", "{:.1%}"),
]
CURVE_COLUMNS = [
    ("grows with", "curve", "{}"), ("", "label", "{}"), ("GetItem us", "get_cpu_us", "{:,.1f}"),
    ("per s", "gets_per_s", "{:,.0f}"), ("PutItem us", "put_cpu_us", "{:,.1f}"),
    ("per s", "puts_per_s", "{:,.0f}"), ("RSS MB", "rss_mb", "{:,.0f}"),
    ("start ms", "start_ms", "{:,.0f}"), ("disk x", "disk", "{:.2f}"),
]


def cells(line, columns):
    return [form.format(line[key]) if key in line else "" for _, key, form in columns]


def figure(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def goal_cells(line):
    value = f"{figure(line['is'])} {line['unit']}".replace(" %", "%") if "is" in line else ""
    goal = f"{line['sign']} {line['goal']:g}" if "goal" in line else ""
    return [value, goal, line.get("verdict", "")]


def print_table(rows, left):
    """`left` are the columns that are written from the left."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for number, row in enumerate(rows):
        texts = (cell.ljust(width) if i in left else cell.rjust(width)
                 for i, (cell, width) in enumerate(zip(row, widths)))
        print("  ".join(texts).rstrip())
        if number == 0:
            print("  ".join("-" * width for width in widths))
    print()


def print_lines(lines):
    if not lines:
        return
    head = [heading for heading, _, _ in COLUMNS] + ["is", "goal", "verdict"]
    print_table([head] + [cells(line, COLUMNS) + goal_cells(line) for line in lines],
                {0, 1, len(head) - 1})
    for line in lines:
        if "note" in line:
            print(f"{line['what']}: {line['note']}")


def print_curves(points):
    if points:
        head = [heading for heading, _, _ in CURVE_COLUMNS]
        print_table([head] + [cells(point, CURVE_COLUMNS) for point in points], {0})


# ---- the machine ----


def first_line_of(*command):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True, cwd=ROOT, check=False)
    except OSError:
        return ""
    return (done.stdout.splitlines() or [""])[0]


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.split(":", 1)[1].strip() for line in lines if "model name" in line), "")


def memory_gb():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9


def describe_machine():
    return {
        "processor": processor(), "processors": len(os.sched_getaffinity(0)),
        "memory_gb": round(memory_gb(), 1), "kernel": platform.release(),
        "compiler": first_line_of("cc", "--version"),
        "rocksdb": first_line_of("pkg-config", "--modversion", "rocksdb"),
        "commit": first_line_of("git", "rev-parse", "--short", "HEAD"),
    }


def machine_line(machine, load):
    return (f"{machine['processors']} x {machine['processor']}, {machine['memory_gb']} GB, "
            f"Linux {machine['kernel']}, {machine['compiler']}, RocksDB {machine['rocksdb']}, "
            f"commit {machine['commit']}, load {load[0]:.1f} before and {load[1]:.1f} after")
