"""Holds the recorder to what it promises: the same training twice, with and without it, to the last bit.

    python3 test_paretolog.py
"""
import os
import random
import re
import tempfile
import unittest
import warnings
from unittest import mock

import numpy
import torch
from torch import nn

from paretolog import ParetoLog

STEPS, OBJECTIVES = 25, 3


class Network(nn.Module):
    """Everything that a second batch could disturb: dropout draws random numbers, batch norm keeps running means."""

    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 8))
        self.heads = nn.ModuleList(nn.Linear(8, 1) for _ in range(OBJECTIVES))

    def losses(self, batch):
        x, y = batch
        shared = self.trunk(x)
        return [((head(shared)[:, 0] - y[:, i]) ** 2).mean() for i, head in enumerate(self.heads)]


def train(optimizer, record=None):
    """Trains from fixed seeds. record: gives the recorder of a model, or None. Returns everything that a run leaves behind."""
    random.seed(1), numpy.random.seed(2), torch.manual_seed(3)
    model = Network()
    log = record(model) if record else None
    steps = optimizer(model.parameters())
    others = numpy.random.RandomState(4)  # the caller's own generator draws the second batches
    x = torch.randn(200, 6)
    y = torch.stack([x[:, i] * x[:, i + 1] for i in range(OBJECTIVES)], 1)
    trace = []
    for _ in range(STEPS):
        at = torch.randperm(len(x))[:20]
        losses = model.losses((x[at], y[at]))
        if log:
            log(losses, cross=lambda: model.losses((x[others.permutation(200)[:20]],) + (y[:20],)), weights=[1, 1, 1])
        steps.zero_grad()
        sum(losses).backward()
        steps.step()
        trace += [loss.detach() for loss in losses] + [p.grad.clone() for p in model.parameters()]
    if log:
        log.save()
    state = list(model.state_dict().values()) + [v for s in steps.state.values() for v in s.values() if torch.is_tensor(v)]
    generators = [random.getstate()[1], numpy.random.get_state()[1].astype("int64")]
    return trace + state + [torch.get_rng_state()] + [torch.tensor(generator) for generator in generators]


class Recorder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "run.npz")

    def small(self, **options):
        """Two losses of one shared vector, whose gradients are known, and their recorder."""
        x = nn.Parameter(torch.tensor([1.0, 2.0]))
        other = nn.Parameter(torch.tensor([5.0]))
        return x, lambda: [x[0] * 3 + x[1], x[1] ** 2 + other.sum()], ParetoLog(self.path, [x], **options)

    def test_run_is_the_same_to_the_bit(self):
        optimizers = {"momentum": lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9), "adam": lambda p: torch.optim.Adam(p, lr=0.01)}
        for name, optimizer in optimizers.items():
            plain = train(optimizer)
            for every in 1, 4:
                path = f"{self.path}.{name}.{every}"
                recorded = train(optimizer, lambda model: ParetoLog(path, model.trunk.parameters(), every=every, model=model))
                self.assertEqual(len(plain), len(recorded))
                for a, b in zip(plain, recorded):
                    self.assertTrue(torch.equal(a, b), name)
                with numpy.load(path) as log:
                    self.assertEqual(log["step"].tolist(), list(range(0, STEPS, every)))
                    self.assertTrue((log["forward_seconds"] > 0).all() and (log["backward_seconds"] > 0).all())
                    self.assertEqual({n: a.shape[1:] for n, a in log.items()},
                                     {"step": (), "losses": (3,), "weights": (3,), "gramian": (3, 3), "cross": (3, 3),
                                      "forward_seconds": (), "backward_seconds": ()})
                    symmetric = log["gramian"] - log["gramian"].transpose(0, 2, 1)
                    self.assertLess(abs(symmetric).max(), 1e-12 * log["gramian"].max())

    def test_without_its_care_the_second_batch_would_change_the_run(self):
        """The test above can fail: without `model` running means stay changed."""
        plain = train(lambda p: torch.optim.SGD(p, lr=0.05))
        recorded = train(lambda p: torch.optim.SGD(p, lr=0.05), lambda model: ParetoLog(self.path, model.trunk.parameters()))
        self.assertFalse(all(torch.equal(a, b) for a, b in zip(plain, recorded)))

    def test_products(self):
        x, losses, log = self.small(names=["one", "two"])
        log(losses(), cross=lambda: [2 * loss for loss in losses()])
        log.save()
        with numpy.load(self.path) as file:
            self.assertEqual(file["losses"].tolist(), [[5, 9]])
            self.assertEqual(file["gramian"].tolist(), [[[10, 4], [4, 16]]])
            self.assertEqual(file["cross"].tolist(), [[[20, 8], [8, 32]]])
            self.assertEqual(file["names"].tolist(), ["one", "two"])
            self.assertEqual({n: a.dtype.str for n, a in file.items() if n != "names"},
                             {"step": "<i8", "losses": "<f8", "gramian": "<f8", "cross": "<f8",
                              "forward_seconds": "<f8", "backward_seconds": "<f8"})
        self.assertIsNone(x.grad)

    def test_cost(self):
        """S backward passes at every n-th step, as many again with a second batch, none between; the second batch is not even made."""
        for cross in False, True:
            passes = made = 0
            x = nn.Parameter(torch.ones(3))

            def count(gradient):
                nonlocal passes
                passes += 1

            def losses():
                nonlocal made
                made += 1
                y = x * 1
                y.register_hook(count)
                return [y[i] for i in range(3)]
            log = ParetoLog(f"{self.path}.{cross}", [x], every=5, start=100)
            for step in range(20):
                before = passes
                log(losses(), cross=losses if cross else None)
                self.assertEqual(passes - before, 0 if step % 5 else 3 + 3 * cross)
            self.assertEqual(made, 20 + 4 * cross)
            log.save()
            with numpy.load(f"{self.path}.{cross}") as file:
                self.assertEqual(file["step"].tolist(), [100, 105, 110, 115])

    def test_file_is_whole_or_as_it_was(self):
        _, losses, log = self.small()
        log(losses())
        log.save()

        def half(file, **_):
            file.write(b"half")
            raise OSError("disk full")
        log(losses())
        with mock.patch("numpy.savez", half), self.assertRaises(OSError):
            log.save()
        with numpy.load(self.path) as file:
            self.assertEqual(len(file["step"]), 1)

    def test_file_is_written_while_the_run_goes_on(self):
        _, losses, log = self.small()
        for _ in range(300):
            log(losses())
        with numpy.load(self.path) as file:
            self.assertGreater(len(file["step"]), 200)

    def test_what_is_not_finite_is_left_out(self):
        _, losses, log = self.small()
        log(losses())
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            log([loss / 0 for loss in losses()])
        self.assertIn("step 1", str(said[0].message))
        log(losses())
        log.save()
        with numpy.load(self.path) as file:
            self.assertEqual(file["step"].tolist(), [0, 2])

    def test_refusals(self):
        x, losses, log = self.small()
        log(losses())
        log.save()
        for case in (lambda: log(losses(), weights=[1, 1]), lambda: log(losses()[:1]), lambda: log(losses(), cross=losses)):
            with self.assertRaises(ValueError):
                case()
        for shared, every, path in ([], 1, "new"), ([x.detach()], 1, "new"), ([x], 0, "new"), ([x], 1, self.path):
            with self.assertRaises(ValueError):
                ParetoLog(path, shared, every=every)
        with self.assertRaises(ValueError):
            ParetoLog(self.path + ".apart", [nn.Parameter(torch.ones(2))])(losses())
        with self.assertRaises(FileNotFoundError):
            ParetoLog(os.path.join(self.path + ".none", "run.npz"), [x])
        for options in {"weights": [1]}, {"cross": lambda: losses()[:1]}:
            with self.assertRaises(ValueError):
                ParetoLog(self.path + ".one", [x])(losses(), **options)
        with self.assertRaises(ValueError):
            ParetoLog(self.path + ".names", [x], names=["one"])(losses())

    def test_documents_have_python(self):
        with open(os.path.join(os.path.dirname(__file__), "..", "runlog.md"), encoding="utf-8") as file:
            blocks = re.findall(r"```python\n(.*?)```", file.read(), re.DOTALL)
        self.assertEqual(len(blocks), 4)
        for block in blocks:
            compile(block, "runlog.md", "exec")


if __name__ == "__main__":
    unittest.main()
