"""Measures the errors of directions against the spread of the gradients' lengths: python accuracy.py FILE

Random Jacobians of S rows in 40 columns: Gaussian directions, lengths log-uniform over a number of decades, entries rounded to float32, so
that both precisions get the same numbers. The exact direction of a method is computed in balls of 400 bits (python-flint) and checked
against its optimality conditions: the script exits with an error if one fails. PARETOPLAY names the program.
"""

import csv
import itertools
import json
import math
import os
import subprocess
import sys
import warnings
from importlib.metadata import version

import numpy as np
import torch
from flint import arb, arb_mat, ctx
from torchjd import aggregation as a

ctx.prec = 400  # 120 digits
warnings.simplefilter("ignore")

COLUMNS, DRAWS, ROWS, DECADES = 40, 20, (10, 30), (0, 1, 2, 3, 4)
TINY = arb("1e-50")  # allowed error of optimality conditions, relative to their terms
AGAINST = 1e-6  # a direction with a cosine below minus this goes against a gradient


def jacobian(rows, decades, draw):
    random = np.random.default_rng([rows, decades, draw])
    g = random.normal(size=(rows, COLUMNS))
    g *= (10 ** (-decades * random.uniform(size=rows)) / np.linalg.norm(g, axis=1))[:, None]
    return g.astype(np.float32).astype(np.float64)


def check(holds, what):
    if not holds:
        raise AssertionError(what)


def column(values):
    return arb_mat(len(values), 1, list(values))


def middle(m):
    """A matrix or column without its radii; results computed from it are checked."""
    return arb_mat(m.nrows(), m.ncols(), [v.mid() for v in m.entries()])


def solve(matrix, right):
    return middle(matrix.solve(right))


class Exact:
    """The exact directions for one Jacobian, as coefficients of the gradients."""

    def __init__(self, g):
        self.m = len(g)
        self.rows = arb_mat(g.tolist())
        self.gram = self.rows * self.rows.transpose()
        self.norms = [self.gram[i, i].sqrt() for i in range(self.m)]
        self.float = g

    def sub(self, active):
        return arb_mat([[self.gram[i, j] for j in active] for i in active])

    def cone(self, c):
        """x >= 0 with (Gx)_i >= c_i, equal if x_i > 0, by Lawson and Hanson's active sets."""
        active, x = [], [arb(0)] * self.m
        for _ in range(50 * self.m):
            slack = [c[i] - sum((self.gram[i, j] * x[j] for j in active), arb(0)) for i in range(self.m)]
            ranked = [(float(slack[i] / self.norms[i]), i) for i in range(self.m) if i not in active]
            ranked = [r for r in ranked if slack[r[1]] / self.norms[r[1]] > TINY * max(self.norms)]
            if not ranked:
                break
            active.append(max(ranked)[1])
            while True:
                s = solve(self.sub(active), column([c[i] for i in active])).entries()
                if all(v > 0 for v in s):
                    break
                step = min((x[i] / (x[i] - v) for i, v in zip(active, s) if not v > 0), key=float)
                for i, v in zip(active, s):
                    x[i] = (x[i] + step * (v - x[i])).mid()
                gone = min((i for i, v in zip(active, s) if not v > 0), key=lambda i: float(x[i] * self.norms[i]))
                active.remove(gone)
                x[gone] = arb(0)
            for i, v in zip(active, s):
                x[i] = v
        product = (self.gram * column(x)).entries()
        size = max(self.norms)
        for i in range(self.m):
            miss = (product[i] - c[i]) / self.norms[i]
            check(miss > -TINY * size and (x[i] == 0 or abs(miss) < TINY * size) and x[i] >= 0, "a projection fails its conditions")
        return x

    def mgda(self):
        x = self.cone([arb(1)] * self.m)
        total = sum(x, arb(0))
        return [v / total for v in x]

    def projected(self, u):
        """The projection of the combination u onto the dual cone."""
        v = self.cone([-p for p in (self.gram * column(u)).entries()])
        return [p + q for p, q in zip(u, v)]

    def dualproj(self):
        return self.projected([arb(1) / self.m] * self.m)

    def upgrad(self):
        total = [arb(0)] * self.m
        for i in range(self.m):
            one = self.projected([arb(1) / self.m if i == j else arb(0) for j in range(self.m)])
            total = [p + q for p, q in zip(total, one)]
        return total

    def imtlg(self):
        # The products with all unit gradients are equal.
        v = solve(self.gram, column(self.norms)).entries()
        total = sum(v, arb(0))
        w = [x / total for x in v]
        products = [p / n for p, n in zip((self.gram * column(w)).entries(), self.norms)]
        check(all(abs(p - products[0]) < TINY * abs(products[0]) for p in products), "projections are not equal")
        return w

    def nashmtl(self):
        # Newton steps on (Gw)_i w_i = 1, from a solution in doubles of unit gradients.
        unit = self.float / np.linalg.norm(self.float, axis=1)[:, None]
        cosines, u = unit @ unit.T, np.ones(self.m)
        for _ in range(1000):  # damped: the sum of -log u_i + u C u / 2 is convex
            gradient = cosines @ u - 1 / u
            step = np.linalg.solve(cosines + np.diag(1 / u**2), gradient)
            size = 1.0
            while np.any(u - size * step <= 0.05 * u):
                size /= 2
            u = u - size * step
        w = [arb(float(x)) / n for x, n in zip(u, self.norms)]
        for _ in range(10):
            p = (self.gram * column(w)).entries()
            slope = arb_mat([[self.gram[i, j] * w[i] + (p[i] if i == j else 0) for j in range(self.m)] for i in range(self.m)])
            change = solve(slope, column([x * y - 1 for x, y in zip(p, w)])).entries()
            w = [(x - c).mid() for x, c in zip(w, change)]
        p = (self.gram * column(w)).entries()
        check(all(abs(x * y - 1) < TINY and y > 0 for x, y in zip(p, w)), "Nash-MTL's equations do not hold")
        return w

    def alignedmtl(self):
        # sigma_min G^(-1/2) 1/m: the root by Denman and Beavers, the least eigenvalue by inverse steps.
        y, z = middle(self.gram), arb_mat(self.m, self.m, [int(i == j) for i in range(self.m) for j in range(self.m)])
        for _ in range(200):
            ny = middle((y + middle(z.inv())) * arb("0.5"))
            nz = middle((z + middle(y.inv())) * arb("0.5"))
            moved = max(abs(float(v)) for v in (nz - z).entries()) / max(abs(float(v)) for v in nz.entries())
            y, z = ny, nz
            if moved < 1e-60:
                break
        unit = z * self.gram * z
        off = max(float(abs(unit[i, j] - int(i == j)).upper()) for i in range(self.m) for j in range(self.m))
        check(off < 1e-40, "the root of the Gramian is none")
        values, vectors = np.linalg.eigh(self.float @ self.float.T)
        v, shift = column([arb(float(x)) for x in vectors[:, 0]]), None
        for k in range(60):
            near = arb(0) if k < 40 else shift
            system = arb_mat([[self.gram[i, j] - (near if i == j else 0) for j in range(self.m)] for i in range(self.m)])
            try:
                v = solve(system, v)
            except ZeroDivisionError:  # the shift is the eigenvalue to all bits
                break
            length = sum((x * x for x in v.entries()), arb(0)).sqrt().mid()
            v = middle(v * (1 / length))
            shift = (v.transpose() * self.gram * v)[0, 0].mid()
            left = self.gram * v - v * shift
            if max(float(abs(x).upper()) for x in left.entries()) < 1e-60 * float(shift):
                break
        left = max(float(abs(x).upper()) for x in (self.gram * v - v * shift).entries())
        check(left < 1e-40 * float(shift) and float(shift) < values[1] * 0.999999, "the least eigenvalue was not found")
        return [x * shift.sqrt() / self.m for x in (z * column([arb(1)] * self.m)).entries()]

    def cagrad(self, c=arb("0.5")):
        # On active rows w = x + t y, where t = |g_w|/sqrt(phi), and |g_w|^2 = t^2 phi.
        mean = [p / self.m for p in (self.gram * column([1] * self.m)).entries()]
        phi = c * c * sum(mean, arb(0)) / self.m
        active = [i for i, v in enumerate(self.mgda()) if v > 0]
        for _ in range(100 * self.m):
            k = len(active)
            gram = self.sub(active)
            border = arb_mat([[gram[i, j] for j in range(k)] + [arb(1)] for i in range(k)] + [[arb(1)] * k + [arb(0)]])
            x = solve(border, column([arb(0)] * k + [arb(1)])).entries()
            y = solve(border, column([-mean[i] for i in active] + [arb(0)])).entries()
            dot = lambda p, q: (column(p[:k]).transpose() * gram * column(q[:k]))[0, 0]
            p, q, r = dot(y, y) - phi, dot(x, y), dot(x, x)
            t = (-q - (q * q - p * r).sqrt()) / p  # p < 0, and the root above 0
            w = [u + t * v for u, v in zip(x[:k], y[:k])]
            if not all(v > 0 for v in w):
                active.remove(min(zip(active, w), key=lambda pair: float(pair[1] * self.norms[pair[0]]))[0])
                continue
            full = [arb(0)] * self.m
            for i, v in zip(active, w):
                full[i] = v
            # g_i.g_0 + (G w)_i/t, least where w is above 0
            slope = [(u + v / t) / n for u, v, n in zip(mean, (self.gram * column(full)).entries(), self.norms)]
            level = slope[active[0]] * self.norms[active[0]]
            missing = [(float(s - level / n), i) for i, (s, n) in enumerate(zip(slope, self.norms)) if i not in active]
            missing = [pair for pair in missing if pair[0] < -1e-45]
            if not missing:
                break
            active.append(min(missing)[1])
        else:
            check(False, "CAGrad's active sets go round")
        check(t > 0 and all(abs(slope[i] * self.norms[i] - level) < TINY for i in active), "CAGrad's conditions do not hold")
        length = (column(full).transpose() * self.gram * column(full))[0, 0].sqrt()
        return [1 / arb(self.m) + phi.sqrt() / length * v for v in full]


METHODS = {
    "mgda": (lambda n: a.MGDA(), []),
    "upgrad": (lambda n: a.UPGrad(), []),
    "dualproj": (lambda n: a.DualProj(), []),
    "cagrad": (lambda n: a.CAGrad(c=0.5), ["-set", "c=0.5", "-set", "rescale=none"]),
    "nashmtl": (lambda n: a.NashMTL(n, max_norm=0), []),
    "imtlg": (lambda n: a.IMTLG(), []),
    "alignedmtl": (lambda n: a.AlignedMTL(), []),
}


def ours(method, settings, jacobians):
    lines = "".join(json.dumps({"jacobian": g.tolist()}) + "\n" for g in jacobians)
    command = [os.environ["PARETOPLAY"], "weigh", "-stream", "-method", method, "-fields", "direction", *settings]
    out = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
    return [np.array(json.loads(line)["direction"]) for line in out]


def theirs(make, g, dtype):
    """The direction of TorchJD, or None if the call fails."""
    try:
        d = make(len(g))(torch.tensor(g, dtype=dtype)).double().numpy()
    except (RuntimeError, ValueError, ArithmeticError, TypeError, AttributeError):
        return None
    return d if np.all(np.isfinite(d)) else None


def against(g, d):
    products = g @ d / np.linalg.norm(g, axis=1) / max(np.linalg.norm(d), 1e-300)
    return bool(np.any(products < -AGAINST))


def measured(g, exact, d):
    """The relative error, the angle in degrees, and whether d is against a row."""
    length = sum((v * v for v in exact), arb(0)).sqrt()
    difference = sum(((arb(float(x)) - v) ** 2 for x, v in zip(d, exact)), arb(0)).sqrt()
    own = sum((arb(float(x)) ** 2 for x in d), arb(0)).sqrt()
    angle = 90.0  # if there is no direction
    if own > 0:
        apart = sum(((arb(float(x)) / own - v / length) ** 2 for x, v in zip(d, exact)), arb(0)).sqrt()
        angle = 2 * math.degrees(math.asin(min(1.0, float(apart) / 2)))
    return float(difference / length), angle, against(g, d)


def main():
    with open(sys.argv[1], "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow("library precision method rows decades draws failed error_min error error_max angle angle_max against exact_against".split())
        for rows, decades in itertools.product(ROWS, DECADES):
            jacobians = [jacobian(rows, decades, draw) for draw in range(DRAWS)]
            answers = [Exact(g) for g in jacobians]
            for method, (make, settings) in METHODS.items():
                exact = [[v for v in (column(getattr(e, method)()).transpose() * e.rows).entries()] for e in answers]
                itself = sum(against(g, np.array([float(v) for v in d])) for g, d in zip(jacobians, exact))
                kinds = [
                    ("ours", "float64", ours(method, settings, jacobians)),
                    ("torchjd", "float64", [theirs(make, g, torch.float64) for g in jacobians]),
                    ("torchjd", "float32", [theirs(make, g, torch.float32) for g in jacobians]),
                    ("mean", "float64", [g.mean(axis=0) for g in jacobians]),
                ]
                for library, precision, directions in kinds:
                    got = [measured(g, e, d) for g, e, d in zip(jacobians, exact, directions) if d is not None]
                    errors, angles = sorted(e for e, _, _ in got), sorted(x for _, x, _ in got)
                    numbers = [errors[0], np.median(errors), errors[-1], np.median(angles), angles[-1]]
                    out.writerow([library, precision, method, rows, decades, DRAWS, DRAWS - len(got), *(f"{v:.3g}" for v in numbers),
                                  sum(bad for _, _, bad in got), itself])  # fmt: skip
                print(method, rows, decades, flush=True)
    print("torchjd", version("torchjd"), "torch", version("torch"))


main()
