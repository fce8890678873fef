"""Trains with equal weights and records it.

    python3 record.py two -o digits-two.npz [-seed 0] [-every n]
"""
import argparse

import numpy
import torch

from paretolog import ParetoLog
from trainings import trainings


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("training", choices=trainings)
    parser.add_argument("-o", required=True, help="the log, a new file")
    parser.add_argument("-seed", type=int, default=0)
    parser.add_argument("-every", type=int, help="record one step in so many, instead of the training's own choice")
    options = parser.parse_args()
    torch.set_num_threads(1)
    run = trainings[options.training](options.seed)
    # Batches of the run, and the independent ones, each from a generator of their own.
    draw, other = numpy.random.RandomState(options.seed), numpy.random.RandomState(options.seed + 1000)
    log = ParetoLog(options.o, run.shared, run.names, options.every or run.every, run.model)
    step = run.optimizer(run.shared + run.own, 1)
    weights = [1 / len(run.names)] * len(run.names)
    for _ in range(run.steps):
        losses = run.losses(run.batch(draw))
        log(losses, cross=lambda: run.losses(run.batch(other)), weights=weights)
        step.zero_grad()
        # The weights scale what the losses share; a head that is one loss's own follows its own loss.
        torch.autograd.backward(sum(w * loss for w, loss in zip(weights, losses)), inputs=run.shared, retain_graph=bool(run.own))
        if run.own:
            torch.autograd.backward(sum(losses), inputs=run.own)
        step.step()
    log.save()
    print({name: round(value, 4) for name, value in run.test().items()})


if __name__ == "__main__":
    main()
