"""Nineteen small trainings on several losses, for record.py and retrain.py.

A training has `shared` parameters and parameters `own` to one loss each, draws a `batch` with a generator of numpy,
gives its `losses`, and after it `validation` and `test` losses by name. `seed` decides the first parameters; the
split of the data is always the same."""
from types import SimpleNamespace

import numpy
import torch
from sklearn.datasets import load_diabetes, load_digits, make_friedman1
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



def adam(rate):
    return lambda p, factor: torch.optim.Adam(p, lr=rate * factor)


def momentum(rate):
    return lambda p, factor: torch.optim.SGD(p, lr=rate * factor, momentum=0.9)


def floats(values):
    return torch.tensor(values, dtype=torch.float32)


def standard(values):
    return (values - values.mean(0)) / values.std(0)


def encoder(seed):
    """A variational auto-encoder of digits with eight numbers in the middle: the picture back, and the divergence."""
    pictures = digits()[0].flatten(1)
    torch.manual_seed(seed)
    encoder = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 16))
    decoder = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 64))
    model = nn.Sequential(encoder, decoder)

    def losses(batch):
        rows, noise = batch
        mean, spread = encoder(pictures[rows]).chunk(2, 1)
        out = decoder(mean + noise * torch.exp(spread / 2))
        rebuilt = functional.binary_cross_entropy_with_logits(out, pictures[rows], reduction="none").sum(1).mean()
        return [rebuilt, (0.5 * (mean ** 2 + spread.exp() - 1 - spread)).sum(1).mean()]

    def evaluate(low, high):
        noise = floats(numpy.random.RandomState(2).normal(size=(high - low, 8)))
        with torch.no_grad():
            return dict(zip(["rebuilt", "divergence"], (loss.item() for loss in losses((slice(low, high), noise)))))
    return SimpleNamespace(
        names=["rebuilt", "divergence"], model=model, shared=list(model.parameters()), own=[], losses=losses,
        batch=lambda draw: (torch.tensor(draw.choice(898, 32, replace=False)), floats(draw.normal(size=(32, 8)))),
        validation=lambda: evaluate(898, 1347), test=lambda: evaluate(1347, 1797), steps=1500, every=5, optimizer=adam(0.002))


def patients(seed):
    """Three blood values and the progression of diabetes from the other columns, all standardised."""
    data = load_diabetes(scaled=False)
    order = numpy.random.RandomState(0).permutation(len(data.target))
    table = standard(floats(numpy.column_stack([data.data, data.target])[order]))
    targets = [table[:, k] for k in (5, 7, 8, 10)]
    return heads(seed, ["ldl", "ratio", "triglycerides", "progression"], table[:, [0, 1, 2, 3, 4, 6, 9]], targets,
                 [column(functional.mse_loss)] * 4, [1] * 4, steps=800, every=2, optimizer=momentum(0.01))


def sums(seed):
    """Sum, difference and product of two digits beside each other, in units of their own."""
    pictures, labels = digits()
    x, left, right = torch.cat([pictures[:-1], pictures[1:]], 2), labels[:-1].float(), labels[1:].float()
    return heads(seed, ["sum", "difference", "product"], x, [left + right, left - right, left * right], [column(functional.mse_loss)] * 3,
                 [1] * 3, width=64, steps=1500, every=5, optimizer=adam(0.003))


def turned(seed):
    """Which digit is it, and how many quarter turns has it had?"""
    pictures, labels = digits()
    turns = torch.tensor(numpy.random.RandomState(3).randint(0, 4, len(labels)))
    x = torch.stack([torch.rot90(picture, int(turn)) for picture, turn in zip(pictures, turns)])
    return heads(seed, ["digit", "turns"], x, [labels, turns], [functional.cross_entropy] * 2, [10, 4], width=64,
                 steps=1500, every=5, optimizer=adam(0.003))


def classes(seed):
    """One loss for each digit: the cross-entropy on its own pictures, six of each in a batch."""
    pictures, labels = digits()
    training = heads(seed, [f"digit {k}" for k in range(10)], pictures, [labels], [functional.cross_entropy], [10], optimizer=momentum(0.01),
                     steps=600, every=2)
    rows = [[numpy.flatnonzero(labels.numpy()[low:high] == k) + low for k in range(10)] for low, high in ((0, 898), (898, 1347), (1347, 1797))]

    def losses(parts):
        # One pass, then a loss for each part.
        out = training.model[1][0](training.model[0](pictures.flatten(1)[torch.cat(parts)]))
        return [functional.cross_entropy(o, labels[part]) for o, part in zip(out.split([len(part) for part in parts]), parts)]

    def evaluate(part):
        with torch.no_grad():
            return dict(zip(training.names, (loss.item() for loss in losses([torch.tensor(r) for r in rows[part]]))))
    training.batch = lambda draw: [torch.tensor(draw.choice(r, 6, replace=False)) for r in rows[0]]
    training.losses, training.validation, training.test = losses, lambda: evaluate(1), lambda: evaluate(2)
    training.shared, training.own = list(training.model.parameters()), []
    return training


def domains(seed):
    """The digit in four kinds of pictures, a loss each: clean, inverted, shifted, noisy."""
    pictures, labels = digits()
    noise = floats(numpy.random.RandomState(4).normal(0, 0.4, pictures.shape))
    kinds = [pictures, 1 - pictures, torch.roll(pictures, 2, 2), pictures + noise]
    training = heads(seed, ["clean", "inverted", "shifted", "noisy"], pictures, [labels], [functional.cross_entropy], [10], width=32,
                     steps=1000, every=4, optimizer=momentum(0.02))

    def losses(rows):
        return [functional.cross_entropy(training.model[1][0](training.model[0](x[rows].flatten(1))), labels[rows]) for x in kinds]
    training.losses = losses

    def evaluate(rows):
        with torch.no_grad():
            return dict(zip(training.names, (loss.item() for loss in losses(rows))))
    training.validation, training.test = lambda: evaluate(slice(898, 1347)), lambda: evaluate(slice(1347, None))
    training.shared, training.own = list(training.model.parameters()), []
    return training


def quantiles(seed):
    """The tenth, fiftieth and ninetieth percentile of a noisy response, by pinball losses."""
    x, y = make_friedman1(2000, noise=3, random_state=0)
    y = standard(floats(y))

    def pinball(q):
        return lambda out, target: torch.maximum(q * (target - out[:, 0]), (q - 1) * (target - out[:, 0])).mean()
    return heads(seed, ["tenth", "fiftieth", "ninetieth"], floats(x), [y] * 3, [pinball(q) for q in (0.1, 0.5, 0.9)], [1] * 3,
                 steps=1500, every=5, optimizer=adam(0.003))


def sparse(seed):
    """The digit, and a penalty on the sum of all absolute parameters."""
    pictures, labels = digits()
    training = heads(seed, ["digit"], pictures, [labels], [functional.cross_entropy], [10], width=64, steps=1500, every=5, optimizer=adam(0.002))
    model, fit, evaluated = training.model, training.losses, {"validation": training.validation, "test": training.test}

    def penalty():
        return 0.001 * sum(p.abs().sum() for p in model.parameters())

    def evaluate(part):
        with torch.no_grad():
            return {**evaluated[part](), "penalty": penalty().item()}
    training.names, training.losses = ["digit", "penalty"], lambda rows: fit(rows) + [penalty()]
    training.validation, training.test = lambda: evaluate("validation"), lambda: evaluate("test")
    training.shared, training.own = list(model.parameters()), []
    return training


def attacked(seed):
    """The digit in clean pictures, and in pictures that are moved by the sign of the loss's slope."""
    pictures, labels = digits()
    x = pictures.flatten(1)
    training = heads(seed, ["clean", "attacked"], pictures, [labels], [functional.cross_entropy], [10], width=64, steps=1000, every=4,
                     optimizer=adam(0.002))

    def network(values):
        return training.model[1][0](training.model[0](values))

    def losses(rows):
        moved = x[rows].clone().requires_grad_()
        with torch.enable_grad():
            slope, = torch.autograd.grad(functional.cross_entropy(network(moved), labels[rows]), moved)
        return [functional.cross_entropy(network(x[rows]), labels[rows]),
                functional.cross_entropy(network(x[rows] + 0.1 * slope.sign()), labels[rows])]

    def evaluate(rows):
        return dict(zip(training.names, (loss.item() for loss in losses(rows))))
    training.losses, training.validation, training.test = losses, lambda: evaluate(slice(898, 1347)), lambda: evaluate(slice(1347, None))
    training.shared, training.own = list(training.model.parameters()), []
    return training


def ahead(seed):
    """The Mackey-Glass series, 1, 6 and 24 values ahead, from 16 values that were measured with noise."""
    draw, series = numpy.random.RandomState(5), [1.2] * 18
    for _ in range(3000):
        series.append(series[-1] + 0.2 * series[-18] / (1 + series[-18] ** 10) - 0.1 * series[-1])
    series = (numpy.array(series) - numpy.mean(series)) / numpy.std(series)
    seen, count = series + draw.normal(0, 0.05, len(series)), 2900
    x = floats(numpy.stack([seen[k:k + count] for k in range(16)], 1))
    return heads(seed, ["1 ahead", "6 ahead", "24 ahead"], x, [floats(series[15 + k:15 + k + count]) for k in (1, 6, 24)],
                 [column(functional.mse_loss)] * 3, [1] * 3, steps=1500, every=5, optimizer=adam(0.002))


def bids(seed):
    """One price for two: the second wants it half a standard deviation above what the first wants, and both see the same noise."""
    x, y = make_friedman1(2000, noise=8, random_state=1)
    y = standard(floats(y))
    training = heads(seed, ["buyer", "seller"], floats(x), [y, y + 0.5], [column(functional.mse_loss)] * 2, [1, 1],
                     steps=1200, every=4, optimizer=adam(0.001))
    training.model[1][1] = training.model[1][0]  # the same head
    training.shared, training.own = list(training.model.parameters()), []
    return training


def flow(seed):
    """Burgers' equation u_t + u u_x = 0.05 u_xx on [-1, 1], u = 0 at the ends and -sin(pi x) at the start: three losses."""
    torch.manual_seed(seed)
    u = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))

    def losses(points):
        inside, ends, start = points
        inside = inside.clone().requires_grad_()
        with torch.enable_grad():
            value = u(inside)
            slopes, = torch.autograd.grad(value.sum(), inside, create_graph=True)
            bend, = torch.autograd.grad(slopes[:, 1].sum(), inside, create_graph=True)
        rest = slopes[:, 0] + value[:, 0] * slopes[:, 1] - 0.05 * bend[:, 1]
        return [(rest ** 2).mean(), (u(ends) ** 2).mean(), ((u(start)[:, 0] + torch.sin(torch.pi * start[:, 1])) ** 2).mean()]

    def draw_points(draw, count=32):
        inside = draw.uniform([0, -1], [1, 1], (count, 2))
        ends = numpy.stack([draw.uniform(0, 1, count), draw.choice([-1, 1], count)], 1)
        return [floats(part) for part in (inside, ends, numpy.stack([numpy.zeros(count), draw.uniform(-1, 1, count)], 1))]

    def evaluate(salt):
        return dict(zip(["equation", "ends", "start"], (loss.item() for loss in losses(draw_points(numpy.random.RandomState(salt), 500)))))
    return SimpleNamespace(
        names=["equation", "ends", "start"], model=u, shared=list(u.parameters()), own=[], losses=losses, batch=draw_points,
        validation=lambda: evaluate(6), test=lambda: evaluate(7), steps=1500, every=5, optimizer=adam(0.003))


def orbit(seed):
    """A pendulum's angle from forty noisy measurements, and its equation: the data and the physics."""
    torch.manual_seed(seed)
    u = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
    times, angle, speed, track = numpy.linspace(0, 1, 2001), 1.5, 0.0, []
    for _ in times:
        track.append(angle)
        speed -= 40 * numpy.sin(angle) * 0.0005
        angle += speed * 0.0005
    track = numpy.array(track)
    seen = numpy.arange(25, 2000, 50)
    measured = floats(track[seen] + numpy.random.RandomState(8).normal(0, 0.2, len(seen)))

    def losses(batch, data=(seen, measured)):
        rows, t = batch
        at = floats(times[data[0][rows]])[:, None]
        t = t.clone().requires_grad_()
        with torch.enable_grad():
            value = u(t)
            slope, = torch.autograd.grad(value.sum(), t, create_graph=True)
            bend, = torch.autograd.grad(slope.sum(), t, create_graph=True)
        return [((u(at)[:, 0] - data[1][rows]) ** 2).mean(), ((bend + 40 * torch.sin(value)) ** 2).mean() / 100]

    def evaluate(salt):
        draw = numpy.random.RandomState(salt)
        rows = draw.choice(2001, 200, replace=False)
        found = losses((slice(None), floats(draw.uniform(0, 1, (200, 1)))), (rows, floats(track[rows])))
        return dict(zip(["data", "equation"], (loss.item() for loss in found)))
    return SimpleNamespace(
        names=["data", "equation"], model=u, shared=list(u.parameters()), own=[], losses=losses,
        batch=lambda draw: (draw.choice(40, 20, replace=False), floats(draw.uniform(0, 1, (32, 1)))),
        validation=lambda: evaluate(9), test=lambda: evaluate(10), steps=2000, every=8, optimizer=adam(0.003))


trainings = {f.__name__: f for f in (two, eight, units, coder, readers, equation, encoder, patients, sums, turned, classes, domains, quantiles,
                                     sparse, attacked, ahead, bids, flow, orbit)}
