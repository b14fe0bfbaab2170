#!/usr/bin/env python3
"""Draws what bench/run.py wrote, as an SVG that suits a light page and a dark one.

    bench/picture.py RESULT.json... OUT.svg

Of several files' results all are drawn; of what two of them hold, the later's.
"""

import html
import json
import math
import pathlib
import sys

WIDTH = 860
STYLE = """
    text { fill: #1f2328; font: 13px system-ui, sans-serif }
    .h { font-weight: 600; font-size: 15px } .m { fill: #57606a } .e { text-anchor: end }
    .c { text-anchor: middle } .s { font-size: 11px } .page { fill: #ffffff }
    .pass, .one { fill: #0969da } .short, .two { fill: #bc4c00 } .rule { stroke: #d0d7de }
    .goal { stroke: #1f2328; stroke-dasharray: 4 3 } .line-one { stroke: #0969da }
    .line-two { stroke: #bc4c00 } .line { fill: none; stroke-width: 2 }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 } .m { fill: #9198a1 } .page { fill: #0d1117 }
      .pass, .one { fill: #4493f8 } .short, .two { fill: #db6d28 } .rule { stroke: #30363d }
      .goal { stroke: #e6edf3 } .line-one { stroke: #4493f8 } .line-two { stroke: #db6d28 }
    }"""

ROW = 21
LABEL_WIDTH = 300
STORE_WIDTH = 60
BAR_LEFT = LABEL_WIDTH + STORE_WIDTH + 30
GOAL_AT = 0.5  # of the bars' width
BAR_WIDTH = 270


class Canvas:
    def __init__(self):
        self.parts = []

    def add(self, name, content=None, **attributes):
        words = " ".join(f'{key.rstrip("_").replace("_", "-")}="{html.escape(str(value))}"'
                         for key, value in attributes.items())
        body = "/>" if content is None else f">{html.escape(content)}</{name}>"
        self.parts.append(f"<{name} {words}{body}")

    def text(self, x, y, content, kind=""):
        self.add("text", content, x=round(x, 1), y=round(y, 1), class_=kind)

    def bar(self, x, y, width, kind):
        self.add("rect", x=x, y=y, width=round(max(width, 1), 1), height=ROW - 8, rx=2, class_=kind)

    def rule(self, x1, y1, x2, y2, kind="rule"):
        self.add("path", d=f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}", class_=kind)


def figure(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


# ---- goals ----


def of_goal(line):
    """1 is the goal, and less is better."""
    part = line["is"] / line["goal"]
    return part if line["sign"] == "<=" else 1 / max(part, 0.01)


def draw_goal(canvas, line, y):
    most = BAR_WIDTH / GOAL_AT
    part = of_goal(line)
    width = min(part * BAR_WIDTH * GOAL_AT, BAR_WIDTH)
    canvas.text(20, y + 11, line["what"])
    canvas.text(LABEL_WIDTH + 20, y + 11, line["store"], "m s")
    canvas.bar(BAR_LEFT, y, min(width, most), line["verdict"])
    said = f"{figure(line['is'])} {line['unit']}".replace(" %", "%")
    said += "" if line["verdict"] == "pass" else ": short"
    canvas.text(BAR_LEFT + max(width, BAR_WIDTH * GOAL_AT) + 8, y + 11,
                f"{said}, goal {line['sign'].replace('<=', '≤').replace('>=', '≥')} "
                f"{line['goal']:g}", "s")


def draw_goals(canvas, lines, top):
    canvas.text(20, top + 20, "Goals", "h")
    canvas.text(BAR_LEFT + BAR_WIDTH * GOAL_AT, top + 20, "goal", "m s c")
    canvas.text(BAR_LEFT, top + 20, "better", "m s")
    y = top + 32
    for line in lines:
        draw_goal(canvas, line, y)
        y += ROW
    x = BAR_LEFT + BAR_WIDTH * GOAL_AT
    canvas.rule(x, top + 26, x, y, "goal")
    return y + 10


# ---- what a durable put is made of ----


def steps_of(lines):
    """CPU time of a durable put, and what of it others need."""
    def find(word, key, store=None):
        return next((line[key] for line in lines if line["what"].startswith(word)
                     and store in (None, line["store"]) and key in line), None)
    echo = find("PutItem", "echo_cpu_us", "rocksdb")
    steps = [("a log alone, synced", find("a log alone", "cpu_us"), "one"),
             ("HTTP alone: echo", echo, "one"),
             ("raw RocksDB, synced", find("raw RocksDB", "cpu_us"), "one"),
             ("the goal: 3.5 x echo", echo and 3.5 * echo, "one"),
             ("echo and raw RocksDB together", echo and (find("raw RocksDB", "cpu_us") or 0) + echo,
              "one"),
             ("ordna", find("PutItem", "cpu_us", "rocksdb"), "two")]
    return [step for step in steps if step[1]]


def draw_steps(canvas, lines, top):
    steps = steps_of(lines)
    if len(steps) < 3:
        return top
    canvas.text(20, top + 20, "A durable PutItem of 1 KB: microseconds of CPU", "h")
    most = max(value for _, value, _ in steps)
    y = top + 32
    for name, value, kind in steps:
        canvas.text(20, y + 11, name)
        canvas.bar(BAR_LEFT, y, value / most * BAR_WIDTH, kind)
        canvas.text(BAR_LEFT + value / most * BAR_WIDTH + 8, y + 11, figure(value), "s")
        y += ROW
    return y + 10


# ---- curves ----

PANEL = 195
PANEL_HEIGHT = 130
CURVES = [("items", "items of 100 B"), ("threads", "event loops"), ("indexes", "indexes"),
          ("size", "size of an item")]


def place(points, key, most):
    step = PANEL / max(len(points), 1)
    return [(step * (i + 0.5),
             PANEL_HEIGHT * (1 - math.log10(max(point[key], 1)) / math.log10(most)))
            for i, point in enumerate(points)]


def draw_series(canvas, points, key, left, top, most, kind, label_dy):
    places = [(left + x, top + y) for x, y in place(points, key, most)]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    canvas.add("path", d="M" + path, class_=f"line line-{kind}")
    for (x, y), point in zip(places, points):
        canvas.add("circle", cx=round(x, 1), cy=round(y, 1), r=3, class_=kind)
        canvas.text(x, y + label_dy, figure(point[key]), "s c")


def draw_panel(canvas, points, title, left, top):
    most = 10 ** math.ceil(math.log10(max(point["put_cpu_us"] for point in points) * 1.5))
    canvas.text(left + 4, top - 8, title, "s")
    for power in range(int(math.log10(most)) + 1):
        y = top + PANEL_HEIGHT * (1 - power / math.log10(most))
        canvas.rule(left, y, left + PANEL, y)
    draw_series(canvas, points, "put_cpu_us", left, top, most, "two", -8)
    draw_series(canvas, points, "get_cpu_us", left, top, most, "one", 17)
    step = PANEL / len(points)
    for i, point in enumerate(points):
        canvas.text(left + step * (i + 0.5), top + PANEL_HEIGHT + 16, point["label"], "m s c")


def draw_curves(canvas, points, top):
    canvas.text(20, top + 20, "How cost grows: microseconds of CPU an operation", "h")
    for x, kind, name in ((620, "one", "GetItem"), (710, "two", "PutItem, synced")):
        canvas.add("circle", cx=x, cy=top + 15, r=4, class_=kind)
        canvas.text(x + 9, top + 20, name, "s")
    for column, (curve, title) in enumerate(CURVES):
        of_curve = [point for point in points if point["curve"] == curve]
        if of_curve:
            draw_panel(canvas, of_curve, title, 20 + column * (PANEL + 13), top + 56)
    return top + 56 + PANEL_HEIGHT + 34


# ---- all of it ----


def read_results(paths):
    merged, machine = {}, {}
    for path in paths:
        run = json.loads(pathlib.Path(path).read_text())
        merged.update(run["results"])
        machine = run["machine"]
    return merged, machine


def draw(results, machine):
    canvas = Canvas()
    lines = [line for part, of_part in results.items() if part != "curves" for line in of_part]
    goals = [line for line in lines if "goal" in line]
    top = draw_goals(canvas, goals, 10) if goals else 10
    top = draw_steps(canvas, lines, top)
    top = draw_curves(canvas, results["curves"], top) if results.get("curves") else top
    canvas.text(20, top + 12, f"{machine['processors']} x {machine['processor']}, "
                f"RocksDB {machine['rocksdb']}, commit {machine['commit']}", "m s")
    height = top + 26
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
            f'aria-label="Measured against its goals; the table in performance.md has the figures">'
            f"\n  <style>{STYLE}\n  </style>\n"
            f'  <rect class="page" width="{WIDTH}" height="{height}"/>\n')
    return head + "".join(f"  {part}\n" for part in canvas.parts) + "</svg>\n"


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: bench/picture.py RESULT.json... OUT.svg")
    results, machine = read_results(sys.argv[1:-1])
    pathlib.Path(sys.argv[-1]).write_text(draw(results, machine))


if __name__ == "__main__":
    main()
