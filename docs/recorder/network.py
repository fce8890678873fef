"""The network of many tasks in PyTorch: the same as algo/problem/network, written down again from its definition.

    python3 network.py -digits ../../algo/problem/network/pictures/digits.gz -o ../../algo/problem/network/testdata/autograd.json

writes what autograd says of it, which a test in Go compares: losses, gradients of every task, one weighted gradient.
`-check` asserts besides that the file of digits is scikit-learn's copy, to the byte. timings.py measures this network."""
import argparse
import gzip
import json

import numpy
import torch
from torch.nn import functional

COUNT, PIXELS, H1, H2 = 1797, 8 * 12, 64, 32
PRIME, LOOP, SQUARE = {2, 3, 5, 7}, {0, 6, 8, 9}, {0, 1, 4, 9}
# The 40 questions on the left digit a and the right digit b, in their order.
QUESTIONS = [
    lambda a, b: a % 2 == 0, lambda a, b: b % 2 == 0, lambda a, b: a in PRIME, lambda a, b: b in PRIME,
    lambda a, b: a in LOOP, lambda a, b: b in LOOP, lambda a, b: a > b, lambda a, b: a + b > 9, lambda a, b: a > 4, lambda a, b: b > 4,
    lambda a, b: a % 3 == 0, lambda a, b: b % 3 == 0, lambda a, b: (a + b) % 2 == 0, lambda a, b: (a + b) % 3 == 0,
    lambda a, b: abs(a - b) <= 2, lambda a, b: a == b, lambda a, b: a in SQUARE, lambda a, b: b in SQUARE,
    lambda a, b: a in LOOP and b in LOOP, lambda a, b: a * b % 2 == 0,
    *(lambda a, b, digit=digit: a == digit for digit in range(10)), *(lambda a, b, digit=digit: b == digit for digit in range(10))]


class Digits:
    """scikit-learn's copy of the UCI optical digits, in its order."""

    def __init__(self, path, check=False):
        packed = numpy.frombuffer(gzip.open(path).read(), numpy.uint8)
        self.grey, self.labels = packed[:COUNT * 64].reshape(COUNT, 8, 8), packed[COUNT * 64:]
        assert len(self.labels) == COUNT
        if check:
            from sklearn.datasets import load_digits
            data = load_digits()
            assert (self.grey == data.images).all() and (self.labels == data.target).all(), "other digits than scikit-learn's"

    def pictures(self, pairs, dtype):
        """8×12 of two digits: the right one begins four columns before the left one ends, and the larger grey wins."""
        wide = numpy.zeros((len(pairs), 8, 12))
        for picture, (left, right) in zip(wide, pairs):
            picture[:, :8] = self.grey[left]
            picture[:, 4:] = numpy.maximum(picture[:, 4:], self.grey[right])
        return torch.tensor(wide.reshape(len(pairs), PIXELS) / 16, dtype=dtype)

    def answers(self, pairs, tasks, dtype):
        """The right answers, a row for each pair: digits for two tasks, else 1 for yes and 0 for no."""
        labels = [(int(self.labels[left]), int(self.labels[right])) for left, right in pairs]
        if tasks == 2:
            return torch.tensor(labels)
        return torch.tensor([[q(a, b) for q in QUESTIONS[:tasks]] for a, b in labels], dtype=dtype)


class Network:
    """A trunk of two layers that all tasks share and a linear head for each: two tasks of ten classes each, or up to 40
    yes-or-no questions. `x` has W1 by unit, b1, W2 by unit, b2, then for each task the weights of its head by output and
    its biases."""

    def __init__(self, tasks, activation, x):
        self.tasks, self.outputs, self.activation = tasks, 10 if tasks == 2 else 1, getattr(torch, activation)
        trunk = [(H1, PIXELS), (H1,), (H2, H1), (H2,)]
        shapes = trunk + [(self.outputs, H2), (self.outputs,)] * tasks
        sizes = [int(numpy.prod(shape)) for shape in shapes]
        assert len(x) == sum(sizes)
        parts = [part.reshape(shape).clone().requires_grad_() for part, shape in zip(x.split(sizes), shapes)]
        self.trunk, self.heads = parts[:4], parts[4:]
        self.sums = []  # of the last pass's units, before the activation

    @staticmethod
    def size(tasks):
        return H1 * (PIXELS + 1) + H2 * (H1 + 1) + tasks * (10 if tasks == 2 else 1) * (H2 + 1)

    def features(self, pictures):
        """What the trunk makes of pictures."""
        w1, b1, w2, b2 = self.trunk
        first = functional.linear(pictures, w1, b1)
        second = functional.linear(self.activation(first), w2, b2)
        self.sums = first, second
        return self.activation(second)

    def losses(self, features, answers):
        """One a task, the mean over the batch."""
        outs = [functional.linear(features, v, c) for v, c in zip(self.heads[::2], self.heads[1::2])]
        if self.tasks == 2:
            return [functional.cross_entropy(out, answers[:, s]) for s, out in enumerate(outs)]
        return [functional.binary_cross_entropy_with_logits(out[:, 0], answers[:, s]) for s, out in enumerate(outs)]


def spread(count):
    """Numbers from -1 to 1 that any language computes to the last bit, and without a pattern that a layer would see."""
    i = numpy.arange(count, dtype=numpy.int64)
    return (i * (i + 7) % 1009 - 504) / 504


def flat(gradients):
    return numpy.concatenate([g.numpy().ravel() for g in gradients])


def digest(gradient, at):
    """What the fixture holds of a gradient: its length, its product with `spread`, and some entries."""
    return {"norm": float(numpy.linalg.norm(gradient)), "sum": float(gradient @ spread(len(gradient))),
            "at": [float(gradient[i]) for i in at]}


def case(digits, tasks, activation, pairs):
    """What autograd says of a network and a batch."""
    network = Network(tasks, activation, torch.tensor(0.25 * spread(Network.size(tasks))))
    features = network.features(digits.pictures(pairs, torch.float64))
    losses = network.losses(features, digits.answers(pairs, tasks, torch.float64))
    # Differences in rounding must not decide which units are active, and nothing may be flat.
    for sums in network.sums:
        assert sums.abs().min() > 1e-6 and sums.abs().max() < 8, (sums.abs().min(), sums.abs().max())
    grad = lambda loss, of: flat(torch.autograd.grad(loss, of, retain_graph=True))
    jacobian = numpy.stack([grad(loss, network.trunk) for loss in losses])
    own = [grad(loss, network.heads[2 * s:2 * s + 2]) for s, loss in enumerate(losses)]
    weights = [2 * (s + 1) / (tasks * (tasks + 1)) for s in range(tasks)]
    weighted = grad(sum(w * loss for w, loss in zip(weights, losses)), network.trunk)
    # Three entries from each part of the trunk, where no gradient is zero.
    parts, at = numpy.cumsum([0] + [p.numel() for p in network.trunk]), []
    for low, high in zip(parts, parts[1:]):
        moved = low + numpy.flatnonzero(numpy.abs(jacobian[:, low:high]).min(0))
        at += [int(moved[k]) for k in (0, len(moved) // 2, len(moved) - 1)]
    gramian = jacobian @ jacobian.T
    return {
        "tasks": tasks, "activation": activation, "pairs": [list(pair) for pair in pairs], "at": at,
        "losses": [float(loss) for loss in losses], "shared": [digest(row, at) for row in jacobian],
        "gramian": [[float(v) for v in row[:s + 1]] for s, row in enumerate(gramian)],
        "own": [digest(row, [0, len(row) - 1]) for row in own], "weighted": digest(weighted, at)}


def rounded(value):
    """Thirteen digits: enough for a comparison to 1e-10, and shorter."""
    if isinstance(value, float):
        return float(f"{value:.13g}")
    if isinstance(value, dict):
        return {key: rounded(v) for key, v in value.items()}
    return [rounded(v) for v in value] if isinstance(value, list) else value


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-digits", required=True, help="the packed digits")
    parser.add_argument("-check", action="store_true", help="assert that they are scikit-learn's")
    parser.add_argument("-o", required=True, help="the fixture")
    options = parser.parse_args()
    torch.set_num_threads(1)
    digits = Digits(options.digits, options.check)
    five = [(0, 1), (17, 1403), (250, 9), (1796, 640), (777, 1111)]
    long = [(37 * i % COUNT, 101 * i % COUNT) for i in range(1, 71)]
    cases = [case(digits, tasks, activation, five) for activation in ("relu", "tanh") for tasks in (2, 8, 40)]
    cases += [case(digits, 2, "relu", long), case(digits, 8, "tanh", long)]
    with open(options.o, "w") as file:
        file.write('{"versions": ' + json.dumps(f"PyTorch {torch.__version__}, numpy {numpy.__version__}") + ',\n"cases": [\n')
        file.write(",\n".join(json.dumps(rounded(c), separators=(",", ":")) for c in cases) + "\n]}\n")


if __name__ == "__main__":
    main()
