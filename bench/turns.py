"""Sides that are measured in turns, so that what the machine does meanwhile happens to all.

    A     ordna                         round 1:  A  echo  A'
    A'    the same program once more    round 2:  A'  echo  A      and so on
    echo  the least that HTTP can cost

What A and A' differ by is what a figure of this run is worth, and so is what the echo's odd rounds
and its even ones do. When that is too much there are more rounds; when it still is, the run is void.
"""

import statistics

MOST_DIFFERENCE = 0.05
MORE_ROUNDS = 3  # times as many as asked for, at most


class Series:
    """The rounds of one side."""

    def __init__(self, server, writes):
        self.server = server
        self.writes = writes
        self.rounds = []
        self.end_us = None

    def add(self, result, warm_up):
        self.rounds.append(dict(result, warm_up=warm_up))

    def median(self, key):
        return statistics.median(result[key] for result in self.rounds)

    def settle(self):
        if self.writes:
            self.server.settle()
            self.end_us = self.server.cpu_us()

    def cpu_us(self):
        """Of an operation. Reads: the median of the rounds. Writes leave work for later, so all the
        time that passed since the first one counts, that between the rounds too."""
        if not self.writes:
            return self.median("cpu_us_per_op")
        operations = sum(result["ops"] for result in self.rounds)
        operations += sum(result["warm_up"] for result in self.rounds[1:])
        return (self.end_us - self.rounds[0]["cpu_us_before"]) / operations


class Turns:
    """`sides` are functions of no argument that give a result; each turn runs all of them."""

    def __init__(self, sides):
        self.sides = list(sides)
        self.count = 0

    def run(self, rounds):
        for _ in range(rounds):
            for side in self.sides if self.count % 2 == 0 else reversed(self.sides):
                side()
            self.count += 1


def difference(first, second):
    return abs(first / second - 1)


def differs_from_itself(series):
    costs = [result["cpu_us_per_op"] for result in series.rounds]
    if len(costs) < 2:
        return 0
    return difference(statistics.median(costs[::2]), statistics.median(costs[1::2]))


def run_until_equal(turns, rounds, first, second, control, wanted):
    """Runs the turns, and more of them while what should be equal is not. Gives the difference."""
    most = rounds * (MORE_ROUNDS if wanted else 1)
    differs = 0
    while turns.count < most:
        turns.run(rounds)
        first.settle()
        second.settle()
        differs = max(difference(first.cpu_us(), second.cpu_us()), differs_from_itself(control))
        if differs <= MOST_DIFFERENCE:
            break
    return differs
