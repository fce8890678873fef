"""Writes released.json: trajectories of FORUM's released code, github.com/Baijiong-Lin/FORUM at commit 318607c.

    git clone https://github.com/Baijiong-Lin/FORUM && git -C FORUM checkout 318607c
    python released.py FORUM/LibMTL/trainer.py > released.json

It ran with Python 3.11, torch 2.15.0, cvxpy 1.9.3 and mpmath 1.3.0. The method train_FORUM of that file runs as it is, on
the CPU, in double precision, with SGD at both levels. Two things are set from outside. Its program (14) is solved exactly, in
40 digits and over all sets of active constraints, in place of cvxpy's choice, whose answers are good to a few digits. And the
model is a vector ω with losses

    upper F_i(ω) = ½ Σ_j D_ij (ω_j − C_ij)²,   lower f(α, ω) = Σ_i softmax(α)_i ½ Σ_j A_ij (ω_j − B_ij)².

That method has no upper objective that depends on α. Problem (24) has, so the runs named "quadratic" repeat the method's lines with
gradients by α as well.
"""
import ast
import copy
import itertools
import json
import sys
import types

import cvxpy as cp
import mpmath as mp
import numpy as np
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
mp.mp.dps = 40


class Exact(cp.Problem):
    """Solves a convex quadratic program exactly, and remembers the solutions; None where there is none."""
    seen = []

    def solve(self):
        data = self.get_problem_data(cp.OSQP)[0]
        x = minimiser(data["P"].toarray(), data["q"], data["A"].toarray(), data["b"], data["F"].toarray(), data["G"])
        w = self.variables()[0]
        Exact.seen.append(None)
        if x is not None:
            signed = np.eye(len(data["q"]))  # w alone is bounded by 0, among what cvxpy adds
            w.value = np.array([float(v) for v, e in zip(x, signed) if (-e).tolist() in data["F"].toarray().tolist()])
            Exact.seen[-1] = w.value.tolist()


def minimiser(P, q, A, b, F, G):
    """The x that minimises ½xᵀPx + qᵀx under Ax = b and Fx ≤ G, by trying all sets of active rows of F."""
    rows = sorted({(*f, g) for f, g in zip(F.tolist(), G.tolist())})
    n, e = len(q), len(b)
    for count in range(len(rows) + 1):
        for active in itertools.combinations(rows, count):
            size = n + e + count
            K, r = mp.zeros(size), mp.zeros(size, 1)
            for i in range(n):
                r[i] = -q[i]
                for j in range(n):
                    K[i, j] = P[i][j]
            for k, (row, right) in enumerate([*zip(A.tolist(), b.tolist()), *((a[:-1], a[-1]) for a in active)]):
                r[n + k] = right
                for j in range(n):
                    K[n + k, j] = K[j, n + k] = row[j]
            try:
                x = mp.lu_solve(K, r)
            except ZeroDivisionError:
                continue
            if all(x[n + e + k] >= -1e-30 for k in range(count)) and \
                    all(mp.fdot(zip(row[:-1], x[:n])) <= row[-1] + mp.mpf(10) ** -30 for row in rows):
                return x[:n]
    return None


def released(path):
    """The method train_FORUM as it is in the file."""
    tree = ast.parse(open(path).read())
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == "train_FORUM":
            names = {"torch": torch, "np": np, "copy": copy,
                     "cp": types.SimpleNamespace(**{k: getattr(cp, k) for k in ("Parameter", "Variable", "sum", "Minimize", "quad_over_lin")},
                                                 Problem=Exact)}
            exec(compile(ast.Module([node], []), path, "exec"), names)
            return names["train_FORUM"]


class Anything:
    def __getattr__(self, name):
        return lambda *a, **k: None


class Omega(nn.Module):
    def __init__(self, start):
        super().__init__()
        self.omega = nn.Parameter(torch.tensor(start))


class Alpha(nn.Module):
    def __init__(self, start):
        super().__init__()
        self.alpha = nn.Parameter(torch.tensor(start))

    def forward(self, loss):
        return torch.sum(torch.softmax(self.alpha, dim=0) * loss)


class Trainer:
    """What train_FORUM asks of its object."""
    device, multi_input, scheduler, save_path = "cpu", False, None, None

    def __init__(self, run):
        self.data = {k: torch.tensor(run[k]) for k in "DCAB"}
        self.task_num = len(run["D"])
        self.task_name = range(self.task_num)
        self.model, self.ul_alpha, self.meter = Omega(run["start"][self.task_num:]), Alpha(run["start"][:self.task_num]), Anything()
        self.meter.loss_item = 0
        self.steps = run["epoch"]
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=run["mu"])
        self.ul_alpha_optimizer = torch.optim.SGD(self.ul_alpha.parameters(), lr=run["mu"])
        self.path = []
        step = self.optimizer.step

        def recorded():
            step()
            self.path.append(torch.cat([self.ul_alpha.alpha, self.model.omega]).tolist())
        self.optimizer.step = recorded
        self.turn = 0

    def _prepare_dataloaders(self, loaders):
        return None, 2 * self.steps  # a batch of the lower level and one of the upper to a step

    def _process_data(self, loader):
        self.turn += 1
        return ("lower", "upper")[1 - self.turn % 2], None

    def forward4loss(self, model, inputs, gts, return_preds=False):
        scale, centre = (self.data["A"], self.data["B"]) if inputs == "lower" else (self.data["D"], self.data["C"])
        losses = (scale * (model.omega - centre) ** 2).sum(1) / 2
        return (losses, None) if return_preds else losses

    def test(self, *a, **k):
        pass


def verbatim(train, run):
    Exact.seen, trainer = [], Trainer(run)
    train(trainer, None, None, run["steps"] // run["epoch"], run["rho"], run["eta"], run["T"])
    run["z"], run["lambda"] = trainer.path, [w[:-1] for w in Exact.seen]
    return run


def quadratic(start, steps, mu=0.3, eta=0.05, T=50, rho=0.3):
    """The lines of train_FORUM on problem (24)."""
    z, buffer = np.array(start), np.zeros(2)
    run = {"name": "quadratic", "start": start, "mu": mu, "eta": eta, "T": T, "rho": rho, "epoch": 1, "steps": steps, "z": [], "lambda": []}

    def lower(z):
        d = z[1:] - z[0]
        return np.array([-2 * d.sum(), *(2 * d)])

    for epoch in range(steps):
        inner = z.copy()
        for _ in range(T):
            inner[1:] -= eta * lower(inner)[1:]
        q = lower(z)
        q[0] -= lower(inner)[0]
        g = np.array([[-2 * (z[2] - z[0]), 2 * (z[1] - i), 2 * (z[2] - z[0])] for i in (1, 2)])
        g = g / (1e-8 + np.linalg.norm(g, axis=1, keepdims=True))
        square = np.linalg.norm(q) ** 2 + 1e-8
        pi = [rho - (q * g[i]).sum() / square for i in range(2)]
        A = np.vstack([g, q])
        c, v = np.linalg.eig(A @ A.T)
        root = v @ np.diag(np.sqrt(np.maximum(c, 0))) @ np.linalg.inv(v)
        w = cp.Variable(shape=3, nonneg=True)
        constraints = [cp.sum(w[:-1]) == 1, w[-1] >= cp.sum([w[i] * pi[i] for i in range(2)]), w >= 0]
        Exact(cp.Minimize(cp.quad_over_lin(root @ w, 1) - w[-1] * rho * square), constraints).solve()
        if w.value is None:
            run["stopped"] = epoch
            break
        for i in range(2):
            buffer[i] += 1 / (epoch + 1) ** (3 / 4) * (w.value[i] - buffer[i])
        nu = max(sum(buffer[i] * pi[i] for i in range(2)), 0)
        z = z - mu * (buffer[0] * g[0] + buffer[1] * g[1] + nu * q)
        run["z"].append(z.tolist())
        run["lambda"].append(w.value[:2].tolist())
    return run


def main():
    train = released(sys.argv[1])
    two = {"D": [[1.0, 2.0], [3.0, 0.5]], "C": [[1.0, 0.0], [0.0, 2.0]], "A": [[1.0, 1.0], [2.0, 0.5]], "B": [[0.5, 0.5], [-1.0, 1.0]],
           "mu": 0.1, "eta": 0.3, "T": 5, "rho": 0.5}
    three = {"D": [[1.0, 2.0, 0.5], [3.0, 0.5, 1.0], [0.5, 1.0, 2.0]], "C": [[1.0, 0.0, 1.0], [0.0, 2.0, -1.0], [-1.0, -1.0, 0.0]],
             "A": [[1.0, 1.0, 0.5], [2.0, 0.5, 1.0], [0.5, 1.5, 1.0]], "B": [[0.5, 0.5, 0.0], [-1.0, 1.0, 1.0], [1.0, -0.5, -1.0]],
             "mu": 0.05, "eta": 0.3, "T": 5, "rho": 0.4}
    runs = [verbatim(train, {"name": "two", "start": [0.0, 0.0, 2.0, -1.0], "epoch": 1, "steps": 60, **two}),
            verbatim(train, {"name": "two", "start": [0.3, -0.2, -2.0, 1.5], "epoch": 4, "steps": 60, **two}),
            verbatim(train, {"name": "three", "start": [0.0, 0.0, 0.0, 2.0, -1.0, 1.5], "epoch": 1, "steps": 60, **three})]
    runs += [quadratic(start, 200) for start in ([0.0, 0.0, 3.0], [2.0, 0.0, 3.0], [2.0, 3.0, 3.0])]
    runs.append(quadratic([3.0, 3.0, 3.0], 1))
    json.dump({"runs": runs}, sys.stdout)


if __name__ == "__main__":
    main()
