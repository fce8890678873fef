"""Measures benchmarks of this repository beside the same work of other libraries, on the same inputs.

Every row is a Go benchmark and a function of a library. Both are measured in turns, some rounds of them, and the best
round of each counts. To add rows, write a function that yields them and list it in GROUPS.
"""

import argparse
import math
import os
import re
import subprocess
import time
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Callable

import numpy as np


@dataclass
class Row:
    work: str  # for the table
    package: str  # of the Go benchmark, from the top of the repository
    benchmark: str  # its name, with those of its parts after slashes
    peer: Callable[[], Callable[[], Any]]  # makes the inputs and returns the call to measure
    result: str = ""  # the benchmark's metric that the call's result is compared with
    family: str = ""  # rows of one family grow by n
    n: int = 0
    table: bool = True  # False: for the growth alone


def spread(n, m):
    """n points of the unit cube: the numbers of SplitMix64 from the seed m on, as in our tests."""
    with np.errstate(over="ignore"):
        z = np.uint64(m) + np.arange(1, n * m + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    return ((z >> np.uint64(11)) * 2.0**-53).reshape(n, m)


def front(n, m):
    """n points of the part of the unit sphere around (1, ..., 1) that faces the origin."""
    points = spread(n, m)
    square = np.zeros(n)
    for k in range(m):
        square += points[:, k] * points[:, k]
    return np.ascontiguousarray(1 - points / np.sqrt(square)[:, None])


def hypervolumes():
    import moocore

    def peer(n, m):
        points, reference = front(n, m), np.full(m, 1.1)
        return lambda: moocore.hypervolume(points, ref=reference)

    shown = {2: (1000, 10_000), 3: (300, 1000, 10_000), 4: (300, 1000, 3000), 5: (100, 300), 6: (60, 120), 8: (30, 60), 10: (20, 50)}
    doubled = {2: 1000, 3: 1000, 4: 250, 5: 50, 6: 30}
    for m, sizes in shown.items():
        growth = [doubled[m] << i for i in range(5)] if m in doubled else []
        for n in sorted({*sizes, *growth}):
            yield Row(
                f"hypervolume, {m} objectives, {n:,} points",
                "algo/pareto",
                f"BenchmarkHypervolume/{m}D/{n}",
                lambda n=n, m=m: peer(n, m),
                "volume",
                f"hypervolume, {m} objectives" if n in growth else "",
                n,
                n in sizes,
            )


def filters():
    import moocore

    def peer(shape, n, m):
        points = (front if shape == "front" else spread)(n, m)
        return lambda: np.count_nonzero(moocore.is_nondominated(points))

    shown = {2: (10_000,), 3: (10_000, 100_000), 5: (10_000,)}
    doubled = {2: 10_000, 3: 10_000, 5: 2500}
    for shape in "front", "cube":
        words = "all on a front" if shape == "front" else "even in a cube"
        for m, sizes in shown.items():
            growth = [doubled[m] << i for i in range(5)]
            for n in sorted({*sizes, *growth}):
                yield Row(
                    f"non-dominated points, {m} objectives, {n:,} points {words}",
                    "algo/pareto",
                    f"BenchmarkNonDominated/{shape}/{m}D/{n}",
                    lambda shape=shape, n=n, m=m: peer(shape, n, m),
                    "kept",
                    f"non-dominated points, {m} objectives, {words}" if n in growth else "",
                    n,
                    n in sizes,
                )


GROUPS = [hypervolumes, filters]
PEERS = ["moocore", "numpy"]


def ours(row, build, seconds):
    """Runs the benchmark and returns its microseconds and its metrics."""
    binary = os.path.join(build, row.package.replace("/", "-") + ".test")
    if not os.path.exists(binary):
        subprocess.run(["go", "test", "-c", "-o", binary, "./" + row.package], check=True)
    name = "/".join(f"^{re.escape(part)}$" for part in row.benchmark.split("/"))
    out = subprocess.run(
        [binary, "-test.run=^$", "-test.bench=" + name, f"-test.benchtime={seconds}s"],
        check=True, capture_output=True, text=True, cwd=row.package,
    ).stdout
    line = re.search(r"^Benchmark\S+\s+\d+\s+(.*)$", out, re.M)
    if line is None:
        raise SystemExit(f"no benchmark {row.benchmark} in {row.package}:\n{out}")
    words = line[1].split()
    metrics = dict(zip(words[1::2], map(float, words[::2])))
    return metrics["ns/op"] / 1000, metrics


def theirs(call, seconds):
    """Returns the microseconds of a call, from as many as fit into the time."""
    calls, begin = 0, time.perf_counter()
    while True:
        call()
        calls += 1
        if (passed := time.perf_counter() - begin) >= seconds:
            return passed / calls * 1e6


def measure(row, build, rounds, seconds):
    """Returns the best microseconds of both."""
    call = row.peer()
    result = call()
    a, b = math.inf, math.inf
    for _ in range(rounds):
        us, metrics = ours(row, build, seconds)
        a, b = min(a, us), min(b, theirs(call, seconds))
        if row.result and not math.isclose(metrics[row.result], result, rel_tol=1e-3):
            raise SystemExit(f"{row.work}: {row.result} is {metrics[row.result]} here and {result} there")
    return a, b


def microseconds(us):
    return f"{us:,.0f}" if us >= 99.5 else f"{us:.1f}"


def growth(sizes, times):
    """The exponent p of the best fit c·n^p."""
    return np.polyfit(np.log(sizes), np.log(times), 1)[0]


def main():
    parser = argparse.ArgumentParser(prog="bench/peers", description="Prints our speed beside that of other libraries.")
    parser.add_argument("--build", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--rows", default="", metavar="TEXT", help="only rows whose work or benchmark has this regular expression")
    parser.add_argument("--rounds", type=int, default=15, help="turns of both (default 15)")
    parser.add_argument("--seconds", type=float, default=0.05, help="least duration of one turn (default 0.05)")
    options = parser.parse_args()
    print("Versions: " + ", ".join(f"{name} {version(name)}" for name in PEERS) + ", "
          + subprocess.run(["go", "env", "GOVERSION"], check=True, capture_output=True, text=True).stdout.strip() + ".\n")
    print("| work | ours µs | theirs µs | ratio |\n|---|---|---|---|")
    families = {}
    for row in (row for group in GROUPS for row in group()):
        if not re.search(options.rows, row.work) and not re.search(options.rows, row.benchmark):
            continue
        a, b = measure(row, options.build, options.rounds, options.seconds)
        if row.table:
            print(f"| {row.work} | {microseconds(a)} | {microseconds(b)} | {a / b:.2g} |", flush=True)
        if row.family:
            families.setdefault(row.family, []).append((row.n, a, b))
    print("\n| work | n | ours grows as n to the | theirs |\n|---|---|---|---|")
    for family, points in families.items():
        sizes, a, b = zip(*points)
        if len(sizes) > 1:
            print(f"| {family} | {sizes[0]:,} to {sizes[-1]:,} | {growth(sizes, a):.1f} | {growth(sizes, b):.1f} |")


main()
