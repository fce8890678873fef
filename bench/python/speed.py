"""Times a decision on a Gramian by paretoplay, TorchJD and LibMTL, in one process and in turns; the best of several rounds counts.

    python speed.py [LIBMTL]

LIBMTL is a folder with LibMTL's repository; without one it is left out. It wants paretoplay, torchjd[full], and for LibMTL qpsolvers,
ecos and torch_geometric. The table is that of docs/python.md.
"""

import os
import platform
import sys
import time
import types
import warnings

os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np
import torch
import torchjd
import torchjd.aggregation as tj

import paretoplay as pp

warnings.simplefilter("ignore")
torch.set_num_threads(1)
ROUNDS, LONG = 7, 0.1  # number of rounds, and seconds of one round of a call


def libmtl(folder):
    """Calls of LibMTL's rules by name, on gradients (m, n), their input: computing the Gramian is part of their time."""
    package = types.ModuleType("LibMTL")  # without the imports of the package itself
    package.__path__ = [os.path.join(folder, "LibMTL")]
    sys.modules["LibMTL"] = package
    from LibMTL import weighting

    usual = dict(mgda_gn="none", UPGrad_norm_eps=1e-4, UPGrad_reg_eps=1e-4, calpha=0.4, rescale=0, update_weights_every=1, optim_niter=20,
                 max_norm=0)

    def call(name, gradients):
        class Rule(getattr(weighting, name)):
            def _compute_grad_dim(self):
                pass

            def _get_grads(self, *_, **__):
                return gradients

            _compute_grad = _get_grads

            def _reset_grad(self, *_):
                pass

            def _backward_new_grads(self, *_, **__):
                pass

        rule = Rule()
        rule.task_num, rule.device, rule.rep_grad = len(gradients), torch.device("cpu"), False
        rule.init_param()
        # Nash_MTL continues with a backward pass of the losses, which have no graph here.
        return lambda: rule.backward(torch.ones(len(gradients), requires_grad=name == "Nash_MTL"), **usual)

    return call


def calls(m, peers):
    """The rows of the table for m gradients: a name, and each library's call."""
    j = torch.randn(m, 40, generator=torch.Generator().manual_seed(m), dtype=torch.float64)
    g, single = j @ j.T, j.float()
    nash = tj.NashMTL(n_tasks=m, max_norm=0).weighting
    for name, theirs, given, other, settings in (
        ("mgda", tj.MGDAWeighting(), g, "MGDA", {}),
        ("upgrad", tj.UPGradWeighting(), g, "UPGrad", {}),
        ("cagrad", tj.CAGradWeighting(c=0.4), g, "CAGrad", {"rescale": "none"}),
        ("nashmtl", nash, j, "Nash_MTL", {}),
    ):
        rule = pp.Weighting(name, **settings)
        row = {"paretoplay": lambda rule=rule: rule(g), "TorchJD": lambda theirs=theirs, given=given: theirs(given)}
        if peers:
            row["LibMTL"] = peers(other, single)
        yield name, row


def measured(row):
    """The minimum seconds per call of each library, over ROUNDS rounds in which they alternate."""
    best = dict.fromkeys(row, float("inf"))
    for _ in range(ROUNDS):
        for library, call in row.items():
            spent, n = 0.0, 0
            while spent < LONG and n < 2000:
                begin = time.perf_counter()
                call()
                took = time.perf_counter() - begin
                spent, n, best[library] = spent + took, n + 1, min(best[library], took)
    return best


def main():
    peers = libmtl(sys.argv[1]) if len(sys.argv) > 1 else None
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, PyTorch {torch.__version__}, one thread; TorchJD", end=" ")
    print(f"{__import__('importlib.metadata').metadata.version('torchjd')}; microseconds a call, the least of {ROUNDS} rounds\n")
    print("| rule | S | paretoplay | TorchJD | LibMTL | TorchJD / ours | LibMTL / ours |\n|---|---|---|---|---|---|---|")
    for m in (2, 10, 30):
        for name, row in calls(m, peers):
            t = measured(row)
            ours, theirs, other = t["paretoplay"], t["TorchJD"], t.get("LibMTL", float("nan"))
            print(f"| `{name}` | {m} | {ours*1e6:.0f} | {theirs*1e6:.0f} | {other*1e6:.0f} | {theirs/ours:.0f} | {other/ours:.0f} |", flush=True)
    ls, small = pp.Weighting("ls"), np.array([[2.0, -1.0], [-1.0, 3.0]])
    print(f"\n`ls` on a 2×2 Gramian of NumPy: {measured({'ls': lambda: ls(small)})['ls']*1e6:.1f} µs")


if __name__ == "__main__":
    main()
