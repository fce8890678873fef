"""Weights of the gradients' sum from their Gramian, in a few lines each, for retrain.py and as candidates of paretotrial.py.

Each takes the Gramian (S, S) and a generator of numpy, and returns the weights (S,) of a direction that is as long as
the sum of the gradients is: where a method is defined by a mean, its weights are S times as large."""
import numpy
from scipy.optimize import minimize, nnls


def root(gramian):
    """Rows with this Gramian, in units of their mean length."""
    values, vectors = numpy.linalg.eigh(gramian)
    return (vectors * numpy.sqrt(numpy.maximum(values, 0) / max(values.sum() / len(values), 1e-300)))


def equal(gramian, draw):
    return numpy.ones(len(gramian))


def mgda(gramian, draw):
    """The shortest vector in the hull: the least of |sum m_i g_i|^2 + (sum m_i - 1)^2 over m >= 0, made to sum S."""
    count = len(gramian)
    m, _ = nnls(numpy.vstack([10 * root(gramian).T, numpy.ones(count)]), numpy.append(numpy.zeros(count), 1))
    return count * m / m.sum()


def upgrad(gramian, draw):
    """The mean of the gradients' projections onto the cone of directions that hurt nobody (Quinton & Rey 2024)."""
    rows = root(gramian)
    return sum(one + nnls(rows.T, -rows.T @ one)[0] for one in numpy.eye(len(gramian)))


def cagrad(gramian, draw, c=0.4):
    """The mean gradient, moved by c of its length to where the least rate is largest (Liu et al. 2021)."""
    rows, count = root(gramian), len(gramian)
    unit = rows @ rows.T
    mean = unit.mean(1)
    radius = c * numpy.sqrt(max(unit.mean(), 0))

    def value(w):
        length = numpy.sqrt(max(w @ unit @ w, 1e-20))
        return w @ mean + radius * length, mean + radius * (unit @ w) / length
    found = minimize(value, numpy.full(count, 1 / count), jac=True, bounds=[(0, 1)] * count, method="SLSQP",
                     constraints={"type": "eq", "fun": lambda w: w.sum() - 1, "jac": lambda w: numpy.ones(count)})
    w = numpy.maximum(found.x, 0)
    length = numpy.sqrt(max(w @ unit @ w, 1e-20))
    return (1 + count * radius * w / length) / (1 + c * c)


def pcgrad(gramian, draw):
    """Each gradient without what points against the others, in a random order (Yu et al. 2020), summed."""
    total = numpy.zeros(len(gramian))
    for i in range(len(gramian)):
        w = numpy.zeros(len(gramian))
        w[i] = 1
        for j in draw.permutation(len(gramian)):
            product = gramian[j] @ w
            if j != i and product < 0 and gramian[j, j] > 0:
                w[j] -= product / gramian[j, j]
        total += w
    return total


def nashmtl(gramian, draw):
    """a > 0 with C a = 1/a (Navon et al. 2022), by Newton on a'Ca/2 - sum log a; as long as 1 at most, times S."""
    count = len(gramian)
    scale = numpy.sqrt(numpy.maximum(numpy.diag(gramian), 1e-300))
    unit = gramian / numpy.outer(scale, scale) + 1e-9 * numpy.eye(count)
    a = numpy.ones(count)
    for _ in range(60):
        slope, bend = unit @ a - 1 / a, unit + numpy.diag(1 / a ** 2)
        step = numpy.linalg.solve(bend, slope)
        size = numpy.sqrt(max(slope @ step, 0))
        a = a - step / (1 + size)
        if size < 1e-9:
            break
    a = a / scale
    length = numpy.sqrt(max(a @ gramian @ a, 0))
    return count * a / max(length, 1)


rules = {f.__name__: f for f in (equal, mgda, cagrad, upgrad, pcgrad, nashmtl)}
