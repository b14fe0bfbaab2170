#!/usr/bin/env python3
"""Holds ordna's numbers against Python's decimal, on random cases.

Usage: number_oracle.py PROGRAM [SEED]
"""

import decimal
import random
import subprocess
import sys
from decimal import Decimal

CASES = 20000
MAX_DIGITS = 38
MAX_POWER = 125
MIN_POWER = -130

MALFORMED = "! The parameter cannot be converted to a numeric value: "
DIGITS = "! Attempting to store more than 38 significant digits in a Number"
OVERFLOW = ("! Number overflow. Attempting to store a number with magnitude larger than "
            "supported range")
UNDERFLOW = ("! Number underflow. Attempting to store a number with magnitude smaller than "
             "supported range")

# Wide enough that no operation here is ever rounded.
decimal.setcontext(decimal.Context(prec=2000, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX,
                                   traps=[decimal.Inexact, decimal.InvalidOperation]))


# --- What the answers ought to be ----------------------------------------------------------------

def stripped(number):
    """The digits without zeros at both ends, and the exponent of the last one."""
    _, digits, exponent = number.as_tuple()
    text = "".join(map(str, digits)).lstrip("0")
    kept = text.rstrip("0")
    return kept, exponent + len(text) - len(kept)


def fault_of(number, digits_fault):
    digits, exponent = stripped(number)
    if len(digits) > MAX_DIGITS:
        return digits_fault
    # decimal keeps a zero's exponent: it is held to the range as if its digit were a 1.
    power = number.as_tuple().exponent if not digits else exponent + len(digits) - 1
    if power > MAX_POWER:
        return OVERFLOW
    return UNDERFLOW if power < MIN_POWER else None


def plain(number):
    digits, exponent = stripped(number)
    if not digits:
        return "= 0"
    sign = "-" if number < 0 else ""
    if exponent >= 0:
        return f"= {sign}{digits}{'0' * exponent}"
    digits = digits.rjust(1 - exponent, "0")
    return f"= {sign}{digits[:exponent]}.{digits[exponent:]}"


def size_of(number):
    """The rule of the facts, by the letter: digits of the plain text, counted apart."""
    text = plain(number)[2:].lstrip("-")
    if text == "0":
        return "= 1"
    whole, _, fraction = text.partition(".")
    whole = whole.lstrip("0")
    if not fraction:
        whole = whole.rstrip("0")
    if not whole:
        fraction = fraction.lstrip("0")
    halves = (len(whole) + 1) // 2 + (len(fraction) + 1) // 2
    return f"= {1 + halves + (number < 0)}"


def result_of(number):
    if number == 0:
        return "= 0"
    return fault_of(number, OVERFLOW) or plain(number)


# --- Random numbers ------------------------------------------------------------------------------

def random_digits(rng):
    kind = rng.random()
    length = rng.choice([1, 1, 2, 3, 5, 9, 17, 18, 19, 20, 21, 36, 37, 38, 39, 40])
    if kind < 0.2:
        return "9" * length
    if kind < 0.3:
        return "1" + "0" * (length - 1)
    if kind < 0.4:
        return "".join(rng.choice("0009") for _ in range(length))
    return "".join(rng.choice("0123456789") for _ in range(length))


def random_text(rng):
    digits = random_digits(rng)
    if rng.random() < 0.5:
        point = rng.randint(0, len(digits))
        digits = digits[:point] + "." + digits[point:]
    digits = "0" * rng.choice([0, 0, 0, 1, 3]) + digits
    if "." in digits:
        digits += "0" * rng.choice([0, 0, 0, 1, 3])
    sign = rng.choice(["", "", "", "-", "-", "+"])
    return sign + digits + random_exponent(rng)


def random_exponent(rng):
    kind = rng.random()
    if kind < 0.4:
        return ""
    near = rng.randint(-45, 45)
    edge = rng.choice([-170, -131, -130, 0, 86, 88, 125, 126])
    exponent = near if kind < 0.8 else edge + rng.randint(-3, 3)
    return f"{rng.choice('eE')}{rng.choice(['', '+']) if exponent >= 0 else ''}{exponent}"


def garbled(rng, text):
    at = rng.randint(0, len(text) - 1)
    return text[:at] + rng.choice("xe.+-_/:N") + text[at + rng.randint(0, 1):]


def is_number(text):
    """The grammar, written another way than in C."""
    mantissa, mark, exponent = text.replace("E", "e").partition("e")
    if mantissa[:1] in ("+", "-"):
        mantissa = mantissa[1:]
    if exponent[:1] in ("+", "-"):
        exponent = exponent[1:]
    whole, _, fraction = mantissa.partition(".")
    plain_digits = all(c in "0123456789" for c in whole + fraction + exponent)
    return plain_digits and whole + fraction != "" and (not mark or exponent != "")


# --- The comparison ------------------------------------------------------------------------------

class Program:
    def __init__(self, path):
        self.path = path
        self.lines = []
        self.checks = []

    def ask(self, line, check):
        self.lines.append(line)
        self.checks.append(check)

    def run(self):
        ended = subprocess.run([self.path], input="\n".join(self.lines) + "\n", text=True,
                               stdout=subprocess.PIPE, check=True)
        answers = ended.stdout.split("\n")[:-1]
        assert len(answers) == len(self.lines), "an answer for each line"
        for line, check, answer in zip(self.lines, self.checks, answers):
            check(line, answer)


def expect(wanted):
    def check(line, answer):
        assert answer == wanted, f"{line}\n  got      {answer}\n  expected {wanted}"
    return check


def check_sorted(packed):
    """Packed bytes against values: order, equality, no 0x00, none the beginning of another."""
    by_value = sorted(packed, key=lambda pair: pair[0])
    for (a, a_bytes), (b, b_bytes) in zip(by_value, by_value[1:]):
        assert (a_bytes < b_bytes) == (a < b), f"order of {a} and {b}"
        assert (a_bytes == b_bytes) == (a == b), f"equality of {a} and {b}"
        assert a == b or not b_bytes.startswith(a_bytes), f"{a} begins {b}"
    for value, data in packed:
        assert 0 not in data and 1 <= len(data) <= 24, f"bytes of {value}"


def ask_about_one(program, rng, packed):
    text = random_text(rng)
    if rng.random() < 0.1:
        text = garbled(rng, text)
    if not is_number(text):
        program.ask(f"parse {text}", expect(MALFORMED + text))
        return None
    if len(text.lower().partition("e")[2]) > 15:
        return None  # an exponent past decimal's own range
    number = Decimal(text)
    fault = fault_of(number, DIGITS)
    program.ask(f"parse {text}", expect(fault or plain(number)))
    if fault:
        return None
    program.ask(f"size {text}", expect(size_of(number)))
    program.ask(f"pack {text}",
                lambda _, answer: packed.append((number, bytes.fromhex(answer[2:]))))
    return text


def close_to(rng, text):
    """Another number, often near enough to cancel most digits."""
    if rng.random() < 0.5:
        return random_text(rng)
    number = Decimal(text)
    _, exponent = stripped(number)
    step = Decimal(rng.choice([0, 1, 9, 10])).scaleb(exponent + rng.randint(-2, 38))
    return f"{rng.choice([-1, 1]) * number + step:e}"


def main():
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().getrandbits(48)
    print(f"seed {seed}")
    rng = random.Random(seed)
    program = Program(sys.argv[1])
    packed = []
    for _ in range(CASES):
        a = ask_about_one(program, rng, packed)
        b = close_to(rng, a) if a else None
        if b and not fault_of(Decimal(b), DIGITS):
            program.ask(f"add {a} {b}", expect(result_of(Decimal(a) + Decimal(b))))
            program.ask(f"subtract {a} {b}", expect(result_of(Decimal(a) - Decimal(b))))
    program.run()
    check_sorted(packed)
    sums = sum(line.startswith("add") for line in program.lines)
    print(f"{len(program.lines)} answers as expected, {len(packed)} numbers, {sums} sums")
    assert sums > CASES / 10, "too few of the cases are valid"


if __name__ == "__main__":
    main()
