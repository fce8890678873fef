"""Compares benchmarks of this repository with the same work in other libraries, on the same inputs.

Every row is a Go benchmark and a function of a library. Both are measured alternately for some rounds, and the best
round of each counts. A Warm row has no peer: it is compared with another benchmark of ours. To add rows, write a function that yields
them and list it in GROUPS.
"""

import argparse
import itertools
import math
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Callable

import numpy as np


@dataclass
class Row:
    work: str  # for the table
    package: str  # of the Go benchmark, from the top of the repository
    benchmark: str  # its name, with the names of its parts after slashes
    peer: Callable[[], Callable[[], Any]]  # makes the inputs and returns the call to measure
    result: str = ""  # the benchmark's metric that the call's result is compared with
    family: str = ""  # rows of one family grow by n
    n: int = 0
    table: bool = True  # False: only for the growth
    inputs: int = 1  # number of inputs, which the calls of both use in turn; every round uses each equally often
    number: Callable[[Any], float] = float  # turns the call's result into a number for comparison


@dataclass
class Warm:
    work: str
    package: str
    benchmark: str
    cold: str  # the benchmark that solves the same without results from the last call


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


def numbers(seed, first, count):
    """Numbers first, first+1, ... of SplitMix64's sequence for the seed, as drawn by the benchmarks of transport and minnorm."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed << 32) + np.arange(first + 1, first + count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(11)) * 2.0**-53


SEEDS = 1, 2, 3, 4


def in_turn(call, inputs):
    """A call that uses the next input each time."""
    following = itertools.cycle(inputs)
    return lambda: call(*next(following))


def task(kind, seed, n, m):
    """Masses and costs as in the function drawn of algo/transport."""
    if kind.endswith("random"):
        drawn = n * m
        costs = numbers(seed, 0, drawn).reshape(n, m)
    else:
        drawn = 2 * (n + m)
        points = numbers(seed, 0, drawn).reshape(-1, 2)
        apart = points[:n, None] - points[None, n:]
        costs = apart[..., 0] ** 2 + apart[..., 1] ** 2
    a, b = np.ones(n), np.ones(m)
    if kind.startswith("unequal"):
        a, b = 0.5 + numbers(seed, drawn, n), 0.5 + numbers(seed, drawn + n, m)
    return a / a.sum(), b / b.sum(), np.ascontiguousarray(costs)


def transports():
    import ot

    def peer(kind, n, m):
        tasks = [task(kind, seed, n, m) for seed in SEEDS]
        return in_turn(lambda a, b, costs: ot.emd(a, b, costs, numItermax=10**7, log=True)[1]["cost"], tasks)

    words = {"square": "squared distances", "random": "random costs"}
    sizes = {"": ((50, 50), (200, 200), (500, 500), (1000, 1000), (2000, 50)), "unequal_": ((50, 50), (200, 200), (500, 500))}
    for masses, shapes in sizes.items():
        for costs in "square", "random":
            for n, m in shapes:
                grows = not masses and n == m >= 200
                yield Row(
                    f"transport, {n:,} × {m:,}, {words[costs]}{', unequal masses' if masses else ''}",
                    "algo/transport",
                    f"BenchmarkExact/{masses}{costs}/{n}" + (f"x{m}" if n != m else ""),
                    lambda kind=masses + costs, n=n, m=m: peer(kind, n, m),
                    "cost",
                    f"transport, n × n, {words[costs]}" if grows else "",
                    n,
                    inputs=len(SEEDS),
                )


def warm_transports():
    for masses in "", "unequal_":
        for costs, words in ("square", "squared distances"), ("random", "random costs"):
            for n, m in (30, 5), (206, 5), (200, 50), (200, 200), (500, 500), (1000, 1000):
                yield Warm(
                    f"transport, {n:,} × {m:,}, {words}{', unequal masses' if masses else ''}",
                    "algo/transport",
                    f"BenchmarkExact/warm_{masses}{costs}/{n}x{m}",
                    f"BenchmarkExact/{masses}{costs}/{n}" + (f"x{m}" if n != m else ""),
                )


def gramian(kind, seed, s, n):
    """The Gramian of the rows of the function drawn of algo/minnorm."""
    rows = numbers(seed, 0, 12 * s * n).reshape(s, n, 12).sum(2) - 6
    if kind == "shifted":
        rows += 0.5
    if kind == "scales":
        rows *= 10.0 ** (8 * numbers(seed, 12 * s * n, s) - 4)[:, None]
    return rows @ rows.T


def least_norms():
    import quadprog

    def peer(kind, s, n):
        conditions, bounds = np.hstack([np.ones((s, 1)), np.eye(s)]), np.eye(1, s + 1)[0]
        linear, ridge = np.zeros(s), 1e-12 * np.eye(s)  # quadprog needs a positive definite matrix

        def solve(gram):
            scale = np.trace(gram) / s
            return 2 * scale * quadprog.solve_qp(gram / scale + ridge, linear, conditions, bounds, 1)[1]

        return in_turn(solve, [(gramian(kind, seed, s, n),) for seed in SEEDS])

    words = {"normal": "normal", "shifted": "normal around a half", "scales": "scales from 1e-4 to 1e4"}
    for kind, drawn in words.items():
        for n in 100, 1000:
            for s in 30, 50, 100, 200:
                yield Row(
                    f"least norm, {s} rows of {n:,} numbers, {drawn}",
                    "algo/minnorm",
                    f"BenchmarkGramian/{kind}/{s}" + (f"x{n}" if n != 100 else ""),
                    lambda kind=kind, s=s, n=n: peer(kind, s, n),
                    # The ridge determines quadprog's norm if a row is far below the largest, or if as many rows as numbers come near 0.
                    "square" if kind != "scales" and s < n else "",
                    f"least norm, S rows of {n:,} numbers, {drawn}" if kind == "normal" else "",
                    s,
                    inputs=len(SEEDS),
                )


def gradients():
    """All gradients of the network of 40 tasks, with the parameters and pictures of BenchmarkAllGradients."""
    import torch
    from torch.autograd import grad
    from torch.nn import functional

    sys.path.insert(0, "docs/recorder")
    from network import COUNT, H1, H2, PIXELS, Digits, Network

    torch.set_num_threads(1)
    tasks, batch = 40, 64

    def peer():
        draws, x = 2 * numbers(2, 0, Network.size(tasks)) - 1, []
        for rows, inputs, gain in [(H1, PIXELS, 2), (H2, H1, 2)] + [(1, H2, 1)] * tasks:
            start = sum(map(len, x))
            x += [math.sqrt(3 * gain / inputs) * draws[start : start + rows * inputs], np.zeros(rows)]
        network = Network(tasks, "relu", torch.tensor(np.concatenate(x)))
        # The heads as one layer: the fastest form.
        heads = [torch.cat(network.heads[k::2]).detach().requires_grad_() for k in (0, 1)]
        digits = Digits("algo/problem/network/pictures/digits.gz")
        pairs = (numbers(1, 0, 2 * batch) * COUNT).astype(int).reshape(batch, 2)
        pictures, answers = digits.pictures(pairs, torch.float64), digits.answers(pairs, tasks, torch.float64)
        each, ones = torch.eye(tasks, dtype=torch.float64), torch.ones(tasks, dtype=torch.float64)

        def call():
            outputs = functional.linear(network.features(pictures), *heads)
            losses = functional.binary_cross_entropy_with_logits(outputs, answers, reduction="none").mean(0)
            rows = grad(losses, network.trunk, each, retain_graph=True, is_grads_batched=True)
            return rows, grad(losses, heads, ones)

        return call

    yield Row(
        f"all gradients of 40 tasks, PyTorch with {torch.backends.cpu.get_cpu_capability()} kernels",
        "algo/problem/network",
        "BenchmarkAllGradients",
        peer,
        "norm",
        number=lambda result: math.sqrt(sum(float((part * part).sum()) for part in result[0])),
    )


GROUPS = [hypervolumes, filters, transports, warm_transports, least_norms]
PEERS = ["moocore", "numpy", "POT", "quadprog"]


def ours(package, benchmark, build, duration):
    """Runs the benchmark for a duration in the form of Go's -benchtime, and returns its microseconds and its metrics."""
    binary = os.path.join(build, package.replace("/", "-") + ".test")
    if not os.path.exists(binary):
        subprocess.run(["go", "test", "-c", "-o", binary, "./" + package], check=True)
    name = "/".join(f"^{re.escape(part)}$" for part in benchmark.split("/"))
    out = subprocess.run(
        [binary, "-test.run=^$", "-test.bench=" + name, "-test.benchtime=" + duration],
        check=True, capture_output=True, text=True, cwd=package,
    ).stdout
    line = re.search(r"^Benchmark\S+\s+\d+\s+(.*)$", out, re.M)
    if line is None:
        raise SystemExit(f"no benchmark {benchmark} in {package}:\n{out}")
    words = line[1].split()
    metrics = dict(zip(words[1::2], map(float, words[::2])))
    return metrics["ns/op"] / 1000, metrics


def turn(package, benchmark, build, inputs, seconds):
    """Returns -benchtime for at least that many seconds; with several inputs, as a number of calls that uses each equally often."""
    if inputs == 1:
        return f"{seconds}s"
    us, _ = ours(package, benchmark, build, f"{inputs}x")
    return f"{inputs * math.ceil(seconds * 1e6 / us / inputs)}x"


def theirs(call, inputs, seconds):
    """Returns the microseconds per call, from as many calls as fit into the time, a multiple of the inputs."""
    calls, begin = 0, time.perf_counter()
    while True:
        call()
        calls += 1
        if (passed := time.perf_counter() - begin) >= seconds and calls % inputs == 0:
            return passed / calls * 1e6


def measure(row, build, rounds, seconds):
    """Returns the best microseconds of both."""
    call = row.peer()
    result = [call() for _ in range(row.inputs)][0]
    number = row.number(result) if row.result else 0
    duration = turn(row.package, row.benchmark, build, row.inputs, seconds)
    a, b = math.inf, math.inf
    for _ in range(rounds):
        us, metrics = ours(row.package, row.benchmark, build, duration)
        a, b = min(a, us), min(b, theirs(call, row.inputs, seconds))
        if row.result and not math.isclose(metrics[row.result], number, rel_tol=1e-3):
            raise SystemExit(f"{row.work}: {row.result} is {metrics[row.result]} here and {number} there")
    return a, b


def microseconds(us):
    return f"{us:,.0f}" if us >= 99.5 else f"{us:.1f}"


def growth(sizes, times):
    """The exponent p of the best fit c·n^p."""
    return np.polyfit(np.log(sizes), np.log(times), 1)[0]


def main():
    parser = argparse.ArgumentParser(prog="bench/peers", description="Prints our speed beside that of other libraries.")
    parser.add_argument("--build", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--rows", default="", metavar="TEXT", help="only rows whose work or benchmark matches this regular expression")
    parser.add_argument("--rounds", type=int, default=15, help="rounds of both (default 15)")
    parser.add_argument("--seconds", type=float, default=0.05, help="minimum duration of one round (default 0.05)")
    parser.add_argument("--torch", action="store_true", help="also compare with PyTorch, which pip installs: some gigabytes")
    options = parser.parse_args()
    groups, peers = GROUPS, PEERS
    if options.torch:
        groups, peers = GROUPS + [gradients], PEERS + ["torch"]
    print("Versions: " + ", ".join(f"{name} {version(name)}" for name in peers) + ", "
          + subprocess.run(["go", "env", "GOVERSION"], check=True, capture_output=True, text=True).stdout.strip() + ".\n")
    print("| work | ours µs | theirs µs | ratio |\n|---|---|---|---|")
    families, warm = {}, []
    for row in (row for group in groups for row in group()):
        if not re.search(options.rows, row.work) and not re.search(options.rows, row.benchmark):
            continue
        if isinstance(row, Warm):
            warm.append(row)
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
    print("\n| work | cold µs | warm µs | ratio |\n|---|---|---|---|")
    for row in warm:
        cold = turn(row.package, row.cold, options.build, len(SEEDS), options.seconds)
        again = turn(row.package, row.benchmark, options.build, 2, options.seconds)
        a, b = math.inf, math.inf
        for _ in range(options.rounds):
            a = min(a, ours(row.package, row.cold, options.build, cold)[0])
            b = min(b, ours(row.package, row.benchmark, options.build, again)[0])
        print(f"| {row.work} | {microseconds(a)} | {microseconds(b)} | {b / a:.2g} |", flush=True)


main()
