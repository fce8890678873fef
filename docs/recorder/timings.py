"""How long one step of 40 tasks takes in PyTorch, one thread, and beside it what benchmarks in Go say.

    go test -c -o network.test ../../algo/problem/network
    python3 timings.py -digits ../../algo/problem/network/pictures/digits.gz -go Go=./network.test -rounds 16 -samples 3

prints the table of docs/network.md. A sample is the mean of 20 steps, a forward pass each included; a round takes some of
every kind, so that what else the machine does meets all alike. The last column is the least time as a share of the first row's."""
import argparse
import ctypes
import os
import platform
import re
import shlex
import statistics
import subprocess
import sys
import time
from collections import defaultdict

import numpy
import torch
from torch.autograd import grad
from torch.nn import functional

from network import COUNT, Digits, Network

try:
    from torch import func
except ImportError:
    import functorch as func  # before PyTorch 2

TASKS, BATCH, STEPS = 40, 64, 20


class Forms:
    """Ways to compute the gradients of all tasks for the trunk and of each task for its own head, and weighted ones."""

    def __init__(self, digits, dtype):
        draw = numpy.random.RandomState(0)
        x = torch.tensor(draw.normal(size=Network.size(TASKS)), dtype=dtype)
        self.network = Network(TASKS, "relu", x)
        with torch.no_grad():
            for parameter in self.network.trunk + self.network.heads:
                parameter *= (2 / parameter.shape[1]) ** 0.5 if parameter.dim() == 2 else 0
        self.trunk, self.heads = self.network.trunk, self.network.heads
        # The same heads as one layer.
        self.matrix = torch.cat(self.heads[::2]).detach().requires_grad_()
        self.biases = torch.cat(self.heads[1::2]).detach().requires_grad_()
        pairs = [(int(a), int(b)) for a, b in draw.randint(COUNT, size=(BATCH, 2))]
        self.pictures, self.answers = digits.pictures(pairs, dtype), digits.answers(pairs, TASKS, dtype)
        self.each, self.ones = torch.eye(TASKS, dtype=dtype), torch.ones(TASKS, dtype=dtype)
        self.weights = torch.arange(1, TASKS + 1, dtype=dtype) / (TASKS * (TASKS + 1) / 2)

    def losses(self):
        """Of all tasks as one vector, with the heads as one layer."""
        outs = functional.linear(self.network.features(self.pictures), self.matrix, self.biases)
        return functional.binary_cross_entropy_with_logits(outs, self.answers, reduction="none").mean(0)

    def sweeps(self):
        losses = self.network.losses(self.network.features(self.pictures), self.answers)
        return [grad(loss, self.trunk, retain_graph=True) for loss in losses], grad(sum(losses), self.heads)

    def sweeps_one_layer(self):
        losses = self.losses()
        rows = [grad(losses, self.trunk, one, retain_graph=True) for one in self.each]
        return rows, grad(losses, (self.matrix, self.biases), self.ones)

    def batched(self):
        losses = self.losses()
        rows = grad(losses, self.trunk, self.each, retain_graph=True, is_grads_batched=True)
        return rows, grad(losses, (self.matrix, self.biases), self.ones)

    def by_features(self):
        """Loss by loss as far as the features, then all through the trunk at once: the calls of TorchJD's mtl_backward."""
        features = self.network.features(self.pictures)
        losses = self.network.losses(features, self.answers)
        parts = [grad(loss, [*self.heads[2 * s:2 * s + 2], features], retain_graph=True) for s, loss in enumerate(losses)]
        rows = grad(features, self.trunk, torch.stack([part[2] for part in parts]), is_grads_batched=True)
        return rows, [g for part in parts for g in part[:2]]

    def vmapped(self):
        def losses(*trunk):
            w1, b1, w2, b2 = trunk
            features = torch.relu(functional.linear(torch.relu(functional.linear(self.pictures, w1, b1)), w2, b2))
            outs = functional.linear(features, self.matrix.detach(), self.biases.detach())
            return functional.binary_cross_entropy_with_logits(outs, self.answers, reduction="none").mean(0)
        values, back = func.vjp(losses, *[p.detach() for p in self.trunk])
        rows, = func.vmap(lambda one: (back(one),))(self.each)
        return rows, None

    def weighted(self):
        """As methods here are defined: weights scale the gradients for the trunk only."""
        losses = self.network.losses(self.network.features(self.pictures), self.answers)
        trunk = grad(sum(w * loss for w, loss in zip(self.weights, losses)), self.trunk, retain_graph=True)
        return trunk, grad(sum(losses), self.heads)

    def weighted_one_layer(self):
        losses = self.losses()
        trunk = grad(losses, self.trunk, self.weights, retain_graph=True)
        return trunk, grad(losses, (self.matrix, self.biases), self.ones)

    def weighted_all(self):
        """Weights scale everything: one call."""
        gradients = grad(self.losses(), [*self.trunk, self.matrix, self.biases], self.weights)
        return gradients[:4], None

    KINDS = {
        "all gradients": {
            "`autograd.grad` 40 times": sweeps,
            "`autograd.grad` 40 times, the heads as one layer": sweeps_one_layer,
            "`autograd.grad` 40 times as far as the features, then `is_grads_batched`, as TorchJD’s `mtl_backward` does": by_features,
            "`is_grads_batched`, the heads as one layer": batched,
            "`vmap` of `vjp`, the heads as one layer, without their gradients": vmapped},
        "weighted gradient": {
            "`autograd.grad` twice": weighted,
            "`autograd.grad` twice, the heads as one layer": weighted_one_layer,
            "`autograd.grad` once, the heads as one layer and weighted, too": weighted_all}}

    def check(self, tolerance):
        """All ways agree."""
        def flat(gradients):
            return torch.cat([g.flatten() for g in gradients])
        for kind, forms in self.KINDS.items():
            first, first_own = next(iter(forms.values()))(self)
            want = torch.stack([flat(row) for row in first]) if kind == "all gradients" else flat(first)
            for name, form in forms.items():
                rows, own = form(self)
                if isinstance(rows, list):
                    got = torch.stack([flat(row) for row in rows])
                else:
                    got = torch.cat([r.flatten(1) for r in rows], 1) if kind == "all gradients" else flat(rows)
                assert (got - want).norm() <= tolerance * want.norm(), name
                if own is not None and len(own) == len(first_own):
                    assert (flat(own) - flat(first_own)).norm() <= tolerance * flat(first_own).norm(), name
                elif own is not None:
                    assert (own[0] - torch.cat(first_own[::2])).norm() <= tolerance * own[0].norm(), name


def sample(form, forms):
    began = time.perf_counter()
    for _ in range(STEPS):
        form(forms)
    return (time.perf_counter() - began) / STEPS * 1e3


BENCHMARKS = {"all": ("all gradients", "in one backward sweep"), "sweeps": ("all gradients", "by 40 weighted ones"),
              "weighted": ("weighted gradient", "one backward sweep")}


def benchmarks(command, samples):
    """Milliseconds of BenchmarkNetwork, by what it computes and how."""
    arguments = ["-test.run", "^$", "-test.bench", f"Network/^({'|'.join(BENCHMARKS)})$/^S={TASKS}$", "-test.benchtime", f"{STEPS}x",
                 "-test.count", str(samples)]
    environment = {**os.environ, "GOMAXPROCS": "1"}
    said = subprocess.run(shlex.split(command) + arguments, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    assert said.stdout.count("ns/op") == samples * len(BENCHMARKS), said.stdout
    out = {kind: [] for kind in BENCHMARKS.values()}
    for name, nanoseconds in re.findall(r"^BenchmarkNetwork/(\w+)/\S+\s+\d+\s+([\d.]+) ns/op", said.stdout, re.M):
        out[BENCHMARKS[name]].append(float(nanoseconds) / 1e6)
    return out


def versions():
    said = f"PyTorch {torch.__version__}, numpy {numpy.__version__}, Python {platform.python_version()}"
    if library := re.search("Math Kernel Library Version [0-9.]+", torch.__config__.show()):
        return f"{said}, {library[0]}"
    try:
        blas = ctypes.CDLL("libopenblas.so.0")
        blas.openblas_get_corename.restype = blas.openblas_get_config.restype = ctypes.c_char_p
        said += f", {blas.openblas_get_config().decode()} with kernels for {blas.openblas_get_corename().decode()}"
    except (OSError, AttributeError):
        said += ", not with OpenBLAS"
    return said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-digits", required=True, help="the packed digits")
    parser.add_argument("-go", action="append", default=[], help="name=command of a test program; may be given more than once")
    parser.add_argument("-rounds", type=int, default=12)
    parser.add_argument("-samples", type=int, default=10, help="of every kind in a round")
    options = parser.parse_args()
    torch.set_num_threads(1)
    digits = Digits(options.digits)
    kinds = []
    for dtype, tolerance in ((torch.float64, 1e-10), (torch.float32, 1e-4)):
        forms = Forms(digits, dtype)
        forms.check(tolerance)
        for kind, ways in Forms.KINDS.items():
            kinds += [((kind, f"PyTorch, {name}", str(dtype)[6:]), form, forms) for name, form in ways.items()]
    rounds = defaultdict(list)
    for k in range(options.rounds):
        for go in options.go:
            label, _, command = go.partition("=")
            for (kind, name), samples in benchmarks(command, options.samples).items():
                rounds[kind, f"{label}, {name}", "float64"] += samples
        for key, form, forms in kinds:
            rounds[key] += [sample(form, forms) for _ in range(options.samples)]
        print("round", k + 1, file=sys.stderr)
    first = {}
    print(versions(), "\n\n| computed | how | precision | least ms | median ms | × |\n|---|---|---|---|---|---|", sep="")
    for key, samples in sorted(rounds.items(), key=lambda entry: entry[0][0]):
        least, middle = min(samples), statistics.median(samples)
        print("|", " | ".join(key), f"| {least:.2f} | {middle:.2f} | {least / first.setdefault(key[0], least):.2f} |")


if __name__ == "__main__":
    main()
