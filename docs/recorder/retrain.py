"""Trains again what record.py recorded, in the nine ways of judging.md, and adds a line a run to a table.

    python3 retrain.py two encoder -logs logs -o retrained.csv      # all trainings without a name; lines that are there stay
    python3 retrain.py two -logs logs -trials trials.csv

The logs (logs/two.npz, recorded where they are missing) give the fixed weights. All ways share the first parameters
and the batches of a seed. Validation losses are taken after a tenth, a quarter, half and all of the steps.
`-trials` continues the run with equal weights instead, from a tenth and from three tenths of its steps, in every way for
a tenth and a quarter of the steps: what a trial from there would have seen."""
import argparse
import csv
import os

import numpy
import torch

from paretotrial import Kept, combine, mgda, rules
from record import record
from trainings import trainings

MARKS = (0.1, 0.25, 0.5, 1)
FROM, SHARES = (0.1, 0.3), (0.1, 0.25)
HEAD = ["training", "way", "rate", "seed", "status", "start", *(f"validation {m}" for m in MARKS), "test"]
TRIALS = ["training", "way", "seed", "from", *(f"validation {s}" for s in SHARES)]


def ways(log):
    """The ways by name: fixed weights, or a rule and how many steps its weights are held."""
    file = numpy.load(log)
    gramians = file["gramian"] if "gramian" in file else numpy.einsum("tsd,trd->tsr", file["jacobian"], file["jacobian"])
    count = gramians.shape[1]
    lengths = numpy.median(numpy.sqrt(gramians[:, range(count), range(count)]), 0)
    scaled = 1 / numpy.maximum(lengths, 1e-12 * lengths.max())
    mean = numpy.mean([mgda(gramian, None) for gramian in gramians], 0)
    return {"equal": numpy.ones(count), "scaled": count * scaled / scaled.sum(), "mean": mean, "mgda": (rules["mgda"], 1),
            "mgda R=8": (rules["mgda"], 8), **{name: (rules[name], 1) for name in ("cagrad", "upgrad", "pcgrad", "nashmtl")}}


class Loop:
    """A training that can be stopped, copied and gone on with."""

    def __init__(self, name, seed, rate):
        self.run = trainings[name](seed)
        self.draw = numpy.random.RandomState(seed)      # of the batches
        self.own_draw = numpy.random.RandomState(seed)  # of the rule
        self.optimizer = self.run.optimizer(self.run.shared + self.run.own, rate)
        self.k, self.weights = 0, None

    def step(self, way):
        """One step; False where a gradient is not finite."""
        run, fixed = self.run, isinstance(way, numpy.ndarray)
        losses = run.losses(run.batch(self.draw))
        self.optimizer.zero_grad()
        new = not fixed and self.k % way[1] == 0
        weights = (lambda gramian: way[0](gramian, self.own_draw)) if new else way if fixed else self.weights
        self.weights = combine(losses, weights, run.shared, run.own)
        if self.weights is None:
            return False
        self.optimizer.step()
        self.k += 1
        return True

    def train(self, way, to):
        """Trains until `to` steps are done; False where it ends early."""
        while self.k < to:
            if not self.step(way):
                return False
        return True

    def kept(self):
        return Kept(self.run.model, self.optimizer, [self.draw, self.own_draw]), self.k

    def put_back(self, kept):
        state, self.k = kept
        state.put_back()


def keep(log, path):
    """Writes what a verdict is read off, in numbers of 32 bits."""
    file = numpy.load(log)
    numpy.savez_compressed(path, **{name: file[name].astype(numpy.float32) for name in ("losses", "gramian", "cross")},
                           step=file["step"].astype(numpy.int32), names=file["names"])


def text(losses):
    return " ".join(f"{value:.5g}" for value in losses.values())


def whole(name, way, rate, seed):
    """A line of the table, after its first four cells."""
    loop = Loop(name, seed, rate)
    start, marks = text(loop.run.test()), []
    for mark in MARKS:
        if not loop.train(way, round(mark * loop.run.steps)):
            break
        marks.append(loop.run.validation())
        if not numpy.isfinite([*marks[-1].values()]).all():
            break
    else:
        return ["trained", start, *map(text, marks), text(loop.run.test())]
    return ["diverged", start, *([""] * (len(MARKS) + 1))]


def continued(name, ways, seed):
    """The lines of the table of trials for a seed."""
    loop = Loop(name, seed, 1)
    for share in FROM:
        loop.train(ways["equal"], round(share * loop.run.steps))
        kept = loop.kept()
        for way in ways:
            loop.put_back(kept)
            cells = []
            for more in SHARES:
                fine = loop.train(ways[way], kept[-1] + round(more * loop.run.steps))
                cells.append(text(loop.run.validation()) if fine else "")
            yield [name, way, seed, share, *cells]
        loop.put_back(kept)


def add(path, head, lines):
    """Appends lines, each as it comes."""
    new = not os.path.exists(path)
    with open(path, "a", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        if new:
            table.writerow(head)
        for line in lines:
            table.writerow(line)
            file.flush()


def had(path, cells):
    """The first cells of all lines that a table has."""
    return {tuple(row[c] for c in cells) for row in csv.DictReader(open(path))} if os.path.exists(path) else set()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("training", nargs="*", help="of trainings.py; all where none is named")
    parser.add_argument("-logs", default="logs", help="the folder of the logs")
    parser.add_argument("-seeds", default="1,2,3", help="the recorded run has seed 0")
    parser.add_argument("-rates", default="1,3", help="multiples of the training's own learning rate")
    parser.add_argument("-o", default="retrained.csv", help="the table; lines that it has are not computed again")
    parser.add_argument("-trials", help="the table of trials, instead")
    parser.add_argument("-keep", help="a folder for small copies of the logs, instead")
    options = parser.parse_args()
    torch.set_num_threads(1)
    os.makedirs(options.logs, exist_ok=True)
    for name in options.training or trainings:
        log = os.path.join(options.logs, name + ".npz")
        if not os.path.exists(log):
            record(name, log)
        if options.keep:
            keep(log, os.path.join(options.keep, name + ".npz"))
            continue
        given = ways(log)
        seeds = [int(seed) for seed in options.seeds.split(",")]
        if options.trials:
            have = had(options.trials, ["training", "seed"])
            for seed in seeds:
                if (name, str(seed)) not in have:
                    add(options.trials, TRIALS, list(continued(name, given, seed)))
            continue
        have = had(options.o, HEAD[:4])
        add(options.o, HEAD, ([name, way, rate, seed, *whole(name, given[way], float(rate), seed)]
                              for seed in seeds for way in given for rate in options.rates.split(",")
                              if (name, way, rate, str(seed)) not in have))


if __name__ == "__main__":
    main()
