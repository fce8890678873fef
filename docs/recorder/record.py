"""Trains with equal weights and records it.

    python3 record.py two -o digits-two.npz [-seed 0] [-every n]
"""
import argparse

import numpy
import torch

from paretolog import ParetoLog
from trainings import trainings


def record(training, path, seed=0, every=None):
    """Trains with equal weights, writes the log, and returns the test losses."""
    run = trainings[training](seed)
    # Batches of the run, and the independent ones, each from a generator of their own.
    draw, other = numpy.random.RandomState(seed), numpy.random.RandomState(seed + 1000)
    log = ParetoLog(path, run.shared, run.names, every or run.every, run.model)
    step = run.optimizer(run.shared + run.own, 1)
    weights = [1] * len(run.names)
    for _ in range(run.steps):
        losses = run.losses(run.batch(draw))
        log(losses, cross=lambda: run.losses(run.batch(other)), weights=weights)
        step.zero_grad()
        sum(losses).backward()
        step.step()
    log.save()
    return run.test()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("training", choices=trainings)
    parser.add_argument("-o", required=True, help="the log, a new file")
    parser.add_argument("-seed", type=int, default=0)
    parser.add_argument("-every", type=int, help="record one step in so many, instead of the training's own choice")
    options = parser.parse_args()
    torch.set_num_threads(1)
    print({name: round(value, 4) for name, value in record(options.training, options.o, options.seed, options.every).items()})


if __name__ == "__main__":
    main()
