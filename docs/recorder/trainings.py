"""Six small trainings on several losses, for record.py and retrain.py.

A training has `shared` parameters and parameters `own` to one loss each, draws a `batch` with a generator of numpy,
gives its `losses`, and after it `validation` and `test` losses by name. `seed` decides the first parameters; the
split of the data is always the same."""
from types import SimpleNamespace

import numpy
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional


def digits():
    """Pictures (1797, 8, 8) in 0..1 and their digits, in an order that is always the same."""
    data = load_digits()
    order = numpy.random.RandomState(0).permutation(len(data.target))
    return torch.tensor(data.images[order] / 16, dtype=torch.float32), torch.tensor(data.target[order])


def heads(seed, names, x, targets, criteria, outputs, width=32, size=32, **more):
    """A trunk of two layers and a linear head for each loss. Half of the rows train, a quarter each validates and tests."""
    torch.manual_seed(seed)
    inputs = x.flatten(1)
    trunk = nn.Sequential(nn.Linear(inputs.shape[1], width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
    ends = nn.ModuleList(nn.Linear(width, n) for n in outputs)
    half, quarter = len(inputs) // 2, len(inputs) // 4

    def losses(rows):
        shared = trunk(inputs[rows])
        return [criterion(head(shared), target[rows]) for criterion, head, target in zip(criteria, ends, targets)]

    def evaluate(rows):
        with torch.no_grad():
            return dict(zip(names, (loss.item() for loss in losses(rows))))
    return SimpleNamespace(
        names=names, model=nn.ModuleList([trunk, ends]), shared=list(trunk.parameters()), own=list(ends.parameters()),
        batch=lambda draw: torch.tensor(draw.choice(half, size, replace=False)), losses=losses,
        validation=lambda: evaluate(slice(half, half + quarter)), test=lambda: evaluate(slice(half + quarter, None)), **more)


def column(criterion):
    return lambda out, target: criterion(out[:, 0], target)


def two(seed):
    """Two digits beside each other: which one is left, which one is right?"""
    pictures, labels = digits()
    partner = torch.tensor(numpy.random.RandomState(1).permutation(len(labels)))
    # Partners come from the same part of the split, so that no picture that trains is in a test.
    half, quarter = len(labels) // 2, len(labels) // 4
    partner = torch.cat([part[(part >= low) & (part < high)] for part, low, high in
                         [(partner, 0, half), (partner, half, half + quarter), (partner, half + quarter, len(labels))]])
    x = torch.cat([pictures, pictures[partner]], 2)
    return heads(seed, ["left", "right"], x, [labels, labels[partner]], [functional.cross_entropy] * 2, [10, 10], width=64,
                 steps=2000, every=5, optimizer=lambda p, rate: torch.optim.SGD(p, lr=0.1 * rate))


def eight(seed):
    """Eight yes-or-no questions, is this a 0, is it a 1, ..., and a trunk that they share."""
    pictures, labels = digits()
    answers = [(labels == digit).float() for digit in range(8)]
    yes_or_no = column(functional.binary_cross_entropy_with_logits)
    return heads(seed, [f"is it {digit}" for digit in range(8)], pictures, answers, [yes_or_no] * 8, [1] * 8,
                 width=64, size=64, steps=1200, every=4, optimizer=lambda p, rate: torch.optim.SGD(p, lr=0.05 * rate))


def units(seed):
    """Three regressions in units of their own: the digit, the ink in a picture, the ink's centre in columns."""
    pictures, labels = digits()
    ink = pictures.sum((1, 2))
    centre = (pictures.sum(1) * torch.arange(8)).sum(1) / ink
    return heads(seed, ["digit", "ink", "centre"], pictures, [labels.float(), ink, centre], [column(functional.mse_loss)] * 3, [1] * 3,
                 steps=1500, every=5, optimizer=lambda p, rate: torch.optim.Adam(p, lr=0.003 * rate))


def coder(seed):
    """The digit and the picture itself from eight numbers."""
    pictures, labels = digits()
    return heads(seed, ["digit", "picture"], pictures, [labels, pictures.flatten(1)], [functional.cross_entropy, functional.mse_loss],
                 [10, 64], width=8, steps=2000, every=5, optimizer=lambda p, rate: torch.optim.Adam(p, lr=0.003 * rate))


def readers(seed):
    """One output, two readers who disagree where it matters: one reads 6 to 9 as the digit, the other as 15 minus it."""
    pictures, labels = digits()
    first = labels.float()
    training = heads(seed, ["first", "second"], pictures, [first, torch.where(first > 5, 15 - first, first)],
                     [column(functional.mse_loss)] * 2, [1, 1], steps=1500, every=5,
                     optimizer=lambda p, rate: torch.optim.Adam(p, lr=0.003 * rate))
    training.model[1][1] = training.model[1][0]  # the same head
    training.shared, training.own = list(training.model.parameters()), []
    return training


def equation(seed):
    """A network u(t) that obeys u'' + 2u' + 26u = 0 with u(0) = 1 and u'(0) = 0: the equation and the two conditions."""
    torch.manual_seed(seed)
    u = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
    grid, root = torch.linspace(0, 1, 200)[:, None], 5
    exact = torch.exp(-grid) * (torch.cos(root * grid) + torch.sin(root * grid) / root)

    def losses(t):
        t = torch.cat([torch.zeros(1, 1), t]).requires_grad_()
        value = u(t)
        slope, = torch.autograd.grad(value.sum(), t, create_graph=True)
        bend, = torch.autograd.grad(slope.sum(), t, create_graph=True)
        return [((bend + 2 * slope + 26 * value)[1:] ** 2).mean(), (value[0, 0] - 1) ** 2, slope[0, 0] ** 2]

    def error():
        with torch.no_grad():
            return {"error": ((u(grid) - exact).norm() / exact.norm()).item()}
    return SimpleNamespace(
        names=["equation", "value", "slope"], model=u, shared=list(u.parameters()), own=[], losses=losses, validation=error, test=error,
        batch=lambda draw: torch.tensor(draw.uniform(0, 1, (64, 1)), dtype=torch.float32),
        steps=3000, every=10, optimizer=lambda p, rate: torch.optim.Adam(p, lr=0.002 * rate))


trainings = {f.__name__: f for f in (two, eight, units, coder, readers, equation)}
