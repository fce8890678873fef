"""Writes released.json: orders by the released codes of GraB.

    git clone https://github.com/EugeneLYC/GraB && git -C GraB checkout 5eafc13
    pip install grab-sampler==0.1.3
    python released.py GraB/neurips22/src > released.json

It ran with Python 3.11, torch 2.15.0 and scikit-learn 1.9.1, in double precision. Three codes order the examples of

    ℓ_k(w) = ½ Σ_j D_kj (w_j − C_kj)²

along w ← w − α ∇ℓ_k(w), from w = 0 and the order 0, 1, …: MeanBalance of grab-sampler, the class
StaleGradDiscrepencyMinimizationSort of the authors' experiments, and the paper's Algorithm 4 for one objective, with the maximum
norm, in a few lines below. A stand-in for torch_sparse, which only random projections need, spares its build.
"""
import json
import sys
import types

import numpy as np
import torch

torch.set_default_dtype(torch.float64)
sys.modules["torch_sparse"] = types.SimpleNamespace(SparseTensor=None)
sys.path.insert(0, sys.argv[1])
from dmsort.algo import StaleGradDiscrepencyMinimizationSort  # noqa: E402
from grabsampler.sorter.MeanBalance import MeanBalance  # noqa: E402

K, SIZE, EPOCHS, ALPHA = 64, 4, 6, 0.05


class GrabSampler:
    def __init__(self):
        self.sorter = MeanBalance(K, SIZE, random_first_epoch=False, dtype=torch.float64, device="cpu")

    def order(self):
        self.sorter.reset_epoch()
        return self.sorter.orders.tolist()

    def put(self, example, gradient):
        self.sorter.step({"w": gradient[None]})


class Authors:
    def __init__(self):
        self.sorter = StaleGradDiscrepencyMinimizationSort(types.SimpleNamespace(use_cuda=False), K, SIZE)

    def order(self):
        return list(self.sorter.sort())

    def put(self, example, gradient):
        weight = torch.zeros(SIZE)
        weight.grad = gradient.clone()
        self.sorter.step(types.SimpleNamespace(param_groups=[{"params": [weight]}]), example)


class Paper:
    def __init__(self):
        self.next, self.seen = list(range(K)), torch.zeros(SIZE)

    def order(self):
        self.mean, self.seen, self.sum = self.seen / K, torch.zeros(SIZE), torch.zeros(SIZE)
        order, self.next, self.left, self.right = self.next, [None] * K, 0, K
        return order

    def put(self, example, gradient):
        self.seen = self.seen + gradient
        g = gradient - self.mean
        if (self.sum + g).abs().max() <= (self.sum - g).abs().max():
            self.sum = self.sum + g
            self.next[self.left] = example
            self.left += 1
        else:
            self.sum = self.sum - g
            self.right -= 1
            self.next[self.right] = example


def main():
    draw = np.random.default_rng(1)
    D, C = draw.uniform(0.5, 2, (K, SIZE)).round(3), draw.normal(size=(K, SIZE)).round(3)
    scale, centre = torch.tensor(D), torch.tensor(C)
    out = {"alpha": ALPHA, "D": [D.tolist()], "C": [C.tolist()], "runs": []}
    for name, kind in (("grab-sampler", GrabSampler), ("authors", Authors), ("paper", Paper)):
        sorter, w, orders, ends = kind(), torch.zeros(SIZE), [], []
        for _ in range(EPOCHS):
            orders.append(sorter.order())
            for example in orders[-1]:
                gradient = scale[example] * (w - centre[example])
                sorter.put(example, gradient)
                w = w - ALPHA * gradient
            ends.append(w.tolist())
        out["runs"].append({"name": name, "orders": orders, "ends": ends})
    json.dump(out, sys.stdout)


if __name__ == "__main__":
    main()
