"""Trains again with the methods that the verdict of a log speaks of, and adds a line a run to a table.

    python3 retrain.py two -mgda 1,2,4,8 -fixed mean=0.48,0.52 -seeds 3 -o retrained.csv

Every method runs with equal weights beside it, at each of the learning rates, with the same first parameters and
batches. `-show` prints what the table says: of each method the rate that is best on validation data, and its test
losses as a share of those of equal weights (geometric mean over the losses), the mean over seeds and each seed's."""
import argparse
import csv
import os
from collections import defaultdict

import numpy
import torch
from scipy.optimize import nnls

from trainings import trainings


def min_norm(gramian):
    """The weights of the shortest vector in the hull of the gradients: the least of |sum m_i g_i|^2 + (sum m_i - 1)^2 over
    m >= 0, made to sum 1, with gradients of a length of about ten."""
    values, vectors = numpy.linalg.eigh(gramian)
    rows = (vectors * numpy.sqrt(numpy.maximum(values, 0) / max(values.sum(), 1e-300) * len(gramian) * 100)).T
    m, _ = nnls(numpy.vstack([rows, numpy.ones(len(gramian))]), numpy.append(numpy.zeros(len(gramian)), 1))
    return m / m.sum()


def train(training, seed, rate, method, period, given):
    """One run; weights of MGDA are computed at every period-th step and held in between."""
    run, draw = trainings[training](seed), numpy.random.RandomState(seed)
    step, weights = run.optimizer(run.shared + run.own, rate), given
    for k in range(run.steps):
        losses = run.losses(run.batch(draw))
        if method == "mgda" and k % period == 0:
            rows = [torch.autograd.grad(loss, run.shared, retain_graph=True, allow_unused=True) for loss in losses]
            g = torch.stack([torch.cat([torch.zeros_like(p).flatten() if v is None else v.flatten() for v, p in zip(row, run.shared)])
                             for row in rows]).double()
            if not torch.isfinite(g).all():
                return None
            weights = min_norm((g @ g.T).numpy())
        step.zero_grad()
        torch.autograd.backward(sum(float(w) * loss for w, loss in zip(weights, losses)), inputs=run.shared, retain_graph=bool(run.own))
        if run.own:
            torch.autograd.backward(sum(losses), inputs=run.own)
        step.step()
    return run.validation(), run.test()


def mean(losses):
    """The geometric mean of losses in units of their own."""
    return numpy.exp(numpy.mean(numpy.log(numpy.maximum(losses, 1e-300))))


def show(path, only):
    runs = defaultdict(dict)
    for row in csv.DictReader(open(path)):
        if row["status"] == "trained":
            numbers = [[float(v) for v in row[name].split()] for name in ("validation", "test")]
            runs[row["training"], row["method"], float(row["rate"])][int(row["seed"])] = numbers
    best = {}
    for (training, method, rate), seeds in runs.items():
        entry = (-len(seeds), numpy.mean([numpy.log(mean(v)) for v, _ in seeds.values()]), rate, seeds)
        best[training, method] = min(best.get((training, method), entry), entry, key=lambda e: e[:3])
    for (training, method), (_, _, rate, seeds) in best.items():
        if only in (None, training):
            base = best[training, "equal"][3]
            ratios = [mean(seeds[s][1]) / mean(base[s][1]) for s in sorted(seeds) if s in base]
            print(f"{training:9} {method:14} rate {rate:<5g} {mean(ratios):6.2f}  seeds", *(f"{r:.2f}" for r in ratios))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("training", choices=trainings, nargs="?")
    parser.add_argument("-mgda", default="", help="periods R, as 1,2,4,8")
    parser.add_argument("-fixed", action="append", default=[], help="name=w1,w2,...; may be given more than once")
    parser.add_argument("-rates", default="0.3,1,3,10", help="multiples of the training's own learning rate")
    parser.add_argument("-seeds", type=int, default=3)
    parser.add_argument("-o", default="retrained.csv", help="the table; lines that it has are not computed again")
    parser.add_argument("-show", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    if options.training and not options.show:
        names = trainings[options.training](0).names
        methods = [("equal", "fixed", 0, [1 / len(names)] * len(names))]
        methods += [(f"mgda R={r}", "mgda", int(r), None) for r in options.mgda.split(",") if r]
        for fixed in options.fixed:
            name, _, numbers = fixed.partition("=")
            given = numpy.array([float(v) for v in numbers.split(",")])
            if len(given) != len(names):
                parser.error(f"{fixed}: {options.training} has {len(names)} losses")
            methods.append((name, "fixed", 0, given / given.sum()))
        new = not os.path.exists(options.o)
        have = set() if new else {(r["training"], r["method"], r["rate"], r["seed"]) for r in csv.DictReader(open(options.o))}
        with open(options.o, "a", newline="") as file:
            table = csv.writer(file, lineterminator="\n")
            if new:
                table.writerow(["training", "method", "rate", "seed", "status", "validation", "test"])
            for seed in range(1, options.seeds + 1):  # the recorded run has seed 0
                for name, method, period, given in methods:
                    for rate in options.rates.split(","):
                        if (options.training, name, rate, str(seed)) in have:
                            continue
                        ended = train(options.training, seed, float(rate), method, period, given)
                        numbers = [" ".join(f"{v:.5g}" for v in part.values()) for part in ended or ({}, {})]
                        status = "trained" if ended and numpy.isfinite([*ended[0].values(), *ended[1].values()]).all() else "diverged"
                        table.writerow([options.training, name, rate, seed, status, *numbers])
                        file.flush()
    show(options.o, options.training)


if __name__ == "__main__":
    main()
