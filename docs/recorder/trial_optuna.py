"""Optuna chooses among ways to weigh losses and learning rates; its pruner ends what falls behind, after a tenth of the
steps, three tenths and nine tenths. What it chose is then trained again from other seeds, beside equal weights.

    python3 trial_optuna.py sums -trials 40 -logs logs           # needs optuna, of which 5.0.0 was tried
"""
import argparse
import os

import numpy
import optuna
import torch

from record import record
from retrain import Loop, ways
from trainings import trainings

PARTS = 10  # validations in a training


def level(losses):
    """The mean logarithm of losses in units of their own."""
    return float(numpy.mean(numpy.log(numpy.maximum(list(losses.values()), 1e-30))))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("training", choices=trainings)
    parser.add_argument("-trials", type=int, default=40)
    parser.add_argument("-logs", default="logs", help="the folder of the logs, which give fixed weights")
    options = parser.parse_args()
    torch.set_num_threads(1)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    os.makedirs(options.logs, exist_ok=True)
    log = os.path.join(options.logs, options.training + ".npz")
    if not os.path.exists(log):
        record(options.training, log)
    known, spent = ways(log), [0]

    def objective(trial):
        way, loop = known[trial.suggest_categorical("way", list(known))], Loop(options.training, 1, trial.suggest_float("rate", 0.3, 10, log=True))
        for part in range(1, PARTS + 1):
            fine = loop.train(way, part * loop.run.steps // PARTS)
            spent[0] += 1 / PARTS
            value = level(loop.run.validation())
            if not fine or not numpy.isfinite(value):
                raise optuna.TrialPruned()  # it ended early: the sampler need not come back
            trial.report(value, part)
            if part < PARTS and trial.should_prune():
                raise optuna.TrialPruned()
        return value
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=0), pruner=optuna.pruners.SuccessiveHalvingPruner(1, 3))
    study.enqueue_trial({"way": "equal", "rate": 1})  # what it has to beat
    study.optimize(objective, n_trials=options.trials)
    pruned = sum(trial.state == optuna.trial.TrialState.PRUNED for trial in study.trials)
    print(f"{options.trials} trials, {pruned} of them pruned, for the steps of {spent[0]:.1f} trainings; chosen: {study.best_params}")
    base = {}
    for rate in {1, 3, study.best_params["rate"]}:
        for seed in (2, 3):
            loop = Loop(options.training, seed, rate)
            loop.train(known["equal"], loop.run.steps)
            base[rate, seed] = level(loop.run.validation()), level(loop.run.test())
    best = min({rate for rate, _ in base}, key=lambda rate: sum(base[rate, seed][0] for seed in (2, 3)))
    for seed in (2, 3):
        loop = Loop(options.training, seed, study.best_params["rate"])
        loop.train(known[study.best_params["way"]], loop.run.steps)
        print(f"seed {seed}: test losses {numpy.exp(level(loop.run.test()) - base[best, seed][1]):.2f} of those of equal weights at rate {best:.3g}")


if __name__ == "__main__":
    main()
