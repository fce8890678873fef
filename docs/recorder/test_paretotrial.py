"""Holds the trial to what it promises: the training afterwards is what it was, to the last bit; every way sees the same;
and the rules are those of the program.

    python3 test_paretotrial.py
"""
import copy
import os
import random
import tempfile
import unittest

import numpy
import torch
from torch import nn

from paretolog import ParetoLog
from paretotrial import ParetoTrial, rules

LOSSES = 3


class Network(nn.Module):
    """Everything that a step moves: parameters, running means, a buffer that is replaced, random numbers of dropout."""

    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 8))
        self.heads = nn.ModuleList(nn.Linear(8, 1) for _ in range(LOSSES))
        self.register_buffer("calls", torch.zeros(()), persistent=False)

    def losses(self, batch):
        self.calls = self.calls + 1
        x, y = batch
        shared = self.trunk(x)
        return [((head(shared)[:, 0] - y[:, i]) ** 2).mean() for i, head in enumerate(self.heads)]


class Training:
    """A network with its optimizer and scheduler, some steps after the start."""

    def __init__(self, make=lambda p: torch.optim.Adam(p, lr=0.01)):
        random.seed(1), numpy.random.seed(2), torch.manual_seed(3)
        self.model = Network()
        self.optimizer = make(self.model.parameters())
        self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, 0.99)
        x = torch.randn(240, 6)
        self.data = x, torch.stack([x[:, i] * x[:, i + 1] for i in range(LOSSES)], 1)
        self.generator = torch.Generator().manual_seed(4)
        self.train(5)

    def batch(self):
        rows = torch.randperm(200, generator=self.generator)[:20]
        return [part[rows] for part in self.data]

    def train(self, steps):
        for _ in range(steps):
            self.optimizer.zero_grad()
            sum(self.model.losses(self.batch())).backward()
            self.step()

    def step(self):
        self.optimizer.step()
        self.scheduler.step()

    def validate(self):
        self.model.eval()
        with torch.no_grad():
            return [loss.item() for loss in self.model.losses([part[200:] for part in self.data])]

    def trial(self, **more):
        return ParetoTrial(self.model, self.optimizer, self.model.trunk, also=[self.scheduler, self.generator], step=self.step, **more)

    def everything(self):
        """All that a run is made of."""
        state = self.optimizer.state_dict()
        tensors = [*self.model.parameters(), *self.model.buffers(), torch.get_rng_state(), self.generator.get_state()]
        tensors += [p.grad for p in self.model.parameters() if p.grad is not None]
        tensors += [torch.as_tensor(v) for s in state["state"].values() for v in s.values() if v is not None]
        return ([t.clone() for t in tensors], state["param_groups"], self.scheduler.state_dict(), self.model.training,
                random.getstate(), numpy.random.get_state()[1].tolist(), [name for name, b in self.model.named_buffers()])


def same(one, other):
    return len(one[0]) == len(other[0]) and all(torch.equal(a, b) for a, b in zip(one[0], other[0])) and one[1:] == other[1:]


class Trials(unittest.TestCase):
    def test_leaves_the_training_as_it_was(self):
        for make in (lambda p: torch.optim.Adam(p, lr=0.01), lambda p: torch.optim.SGD(p, lr=0.01, momentum=0.9),
                     lambda p: torch.optim.AdamW(p, lr=0.01, amsgrad=True)):
            tried, plain = Training(make), Training(make)
            before = tried.everything()
            found = tried.trial()(tried.model.losses, [tried.batch() for _ in range(4)], tried.validate, [*rules])
            self.assertEqual(len(found), len(rules))
            [plain.batch() for _ in range(4)]  # the batches are the caller's
            self.assertFalse(same(before, tried.everything()), "a test that sees no change of the generator sees nothing")
            self.assertTrue(same(plain.everything(), tried.everything()))
            for one in (tried, plain):
                torch.manual_seed(5)  # of dropout
                one.train(5)
            self.assertTrue(same(plain.everything(), tried.everything()))

    def test_leaves_it_also_where_a_way_fails(self):
        tried = Training()
        batches, before = [tried.batch()], tried.everything()
        with self.assertRaisesRegex(ValueError, "two: 2 weights for 3 losses"):
            tried.trial()(tried.model.losses, batches, tried.validate, {"two": [1, 2]})
        self.assertEqual(before[1:], tried.everything()[1:])
        with self.assertRaises(ZeroDivisionError):
            tried.trial()(tried.model.losses, batches, lambda: 1 / 0)
        self.assertTrue(same((before[0][:-2], *before[1:]), (tried.everything()[0][:-2], *tried.everything()[1:])))

    def test_every_way_sees_the_same(self):
        tried = Training()
        ways = {"again": "equal", "ones": [1, 1, 1], "twos": [2, 2, 2], "function": lambda gramian: numpy.ones(len(gramian))}
        found = {way["name"]: way for way in tried.trial()(tried.model.losses, [tried.batch() for _ in range(6)], tried.validate, ways)}
        self.assertEqual(found["again"]["losses"], found["equal"]["losses"])
        self.assertEqual(found["ones"]["losses"], found["equal"]["losses"])
        self.assertEqual(found["equal"]["value"], 1)
        self.assertNotEqual(found["twos"]["losses"], found["equal"]["losses"])  # heads follow their own losses
        numpy.testing.assert_allclose(found["function"]["losses"], found["equal"]["losses"], rtol=1e-3)
        self.assertEqual([found[name]["backprops"] for name in ("equal", "function")], [6, 18])

    def test_is_the_training_that_would_follow(self):
        """The way `equal` ends where the training itself does, on these batches."""
        tried, plain = Training(), Training()
        found = tried.trial()(tried.model.losses, [tried.batch() for _ in range(6)], tried.validate, ["equal"])
        plain.train(6)
        # The batches of a run are drawn one by one from the same generator.
        self.assertEqual(found[0]["losses"], plain.validate())

    def test_old_weights(self):
        asked = []

        def rule(gramian):
            asked.append(gramian)
            return numpy.arange(1.0, 1 + len(gramian))
        tried = Training()
        found = {way["name"]: way for way in tried.trial()(tried.model.losses, [tried.batch() for _ in range(7)], tried.validate,
                                                            {"held": (rule, 3), "fixed": [1, 2, 3]})}
        self.assertEqual(len(asked), 3)
        self.assertEqual((found["held"]["R"], found["held"]["backprops"]), (3, 3 * LOSSES + 4))
        numpy.testing.assert_allclose(found["held"]["losses"], found["fixed"]["losses"], rtol=1e-3)

    def test_a_way_without_finite_losses_failed(self):
        tried = Training()
        found = tried.trial()(tried.model.losses, [tried.batch()], tried.validate, {"nan": lambda gramian: numpy.full(len(gramian), numpy.nan)})
        self.assertEqual((found[-1]["name"], found[-1]["value"], found[-1]["losses"]), ("nan", numpy.inf, []))
        self.assertIn("failed", str(found))

    def test_chooses(self):
        """The best way by a margin, none that gives up a loss, and equal weights otherwise."""
        tried = Training()
        for ends, order, chosen in (
                ({"a": [1, 1, 0.8], "b": [1, 1, 0.5]}, ["b", "a", "equal"], "b"),
                ({"a": [1, 1, 0.95], "b": [2, 2, 2]}, ["a", "equal", "b"], "equal"),
                ({"a": [0, 0, 1.2], "b": [1, 0.5, 1.19]}, ["b", "equal", "a"], "b"),
                ({"a": [0, 0, 1.5], "b": [numpy.nan] * 3}, ["equal", "a", "b"], "equal")):
            said = iter([[1, 1, 1], *ends.values()])
            found = tried.trial()(tried.model.losses, [tried.batch()], lambda: next(said), {name: "equal" for name in ends})
            self.assertEqual([way["name"] for way in found], order)
            self.assertEqual(found.chosen, chosen)
            self.assertTrue(str(found).endswith("chosen: " + chosen))

    def test_refuses(self):
        tried = Training()
        model, optimizer = tried.model, tried.optimizer
        for wanted, make in (
                ("LBFGS calls", lambda: ParetoTrial(model, torch.optim.LBFGS(model.parameters()), model.trunk)),
                ("that the optimizer trains", lambda: ParetoTrial(model, optimizer, nn.Linear(2, 2))),
                ("that the optimizer trains", lambda: ParetoTrial(model, optimizer, [])),
                ("a dict has no state_dict", lambda: ParetoTrial(model, optimizer, model.trunk, also=[{}])(model.losses, [1], list)),
                ("needs at least one", lambda: tried.trial()(model.losses, [], tried.validate)),
                ("no rule 'mdga', known are equal, mgda", lambda: tried.trial()(model.losses, [1], tried.validate, ["mdga"])),
                ("one step or more, not 0", lambda: tried.trial()(model.losses, [1], tried.validate, {"old": ("mgda", 0)})),
                ("none is negative", lambda: tried.trial()(model.losses, [1], tried.validate, {"w": [1, -1, 1]})),
                ("nothing to compare with", lambda: tried.trial()(model.losses, [tried.batch()], lambda: [numpy.nan] * 3))):
            with self.assertRaisesRegex(ValueError, wanted):
                make()

    def test_writes_the_outcomes(self):
        with tempfile.TemporaryDirectory() as folder:
            tried, path = Training(), os.path.join(folder, "run.npz")
            log = ParetoLog(path, tried.model.trunk, model=tried.model)
            for _ in range(3):
                log(tried.model.losses(tried.batch()))
            log.save()
            plain = dict(numpy.load(path))
            for target in (path, log):
                found = tried.trial()(tried.model.losses, [tried.batch() for _ in range(2)], tried.validate,
                                      {"old": ("mgda", 2), "fixed": [1, 2, 3], "nan": lambda gramian: [numpy.nan] * 3}, log=target)
                written = dict(numpy.load(path))
                self.assertEqual({name for name in written if name not in plain},
                                 {"outcome_" + name for name in ("names", "rules", "periods", "backprops", "losses", "steps")})
                for name in plain:
                    numpy.testing.assert_array_equal(written[name], plain[name])
                ended = [way for way in found if way["losses"]]
                self.assertEqual(len(ended), 3)
                self.assertEqual(written["outcome_names"].tolist(), [way["name"] for way in ended])
                self.assertEqual(dict(zip(written["outcome_names"].tolist(), written["outcome_rules"].tolist())),
                                 {"equal": "ls", "old": "mgda", "fixed": ""})
                numpy.testing.assert_array_equal(written["outcome_losses"], [way["losses"] for way in ended])
            self.assertEqual(os.listdir(folder), ["run.npz"])

    def test_a_scaler(self):
        """Scaled losses give the step of plain ones, and a step that the scaler skips stays skipped."""
        class Scaler:
            """What a GradScaler does, without a GPU."""
            factor, skipped = 1024.0, 0

            def state_dict(self):
                return {"factor": self.factor, "skipped": self.skipped}

            def load_state_dict(self, state):
                self.__dict__.update(state)

            def get_scale(self):
                return self.factor

            def scale(self, loss):
                return loss * self.factor

            def step(self, optimizer):
                grads = [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
                if all(torch.isfinite(g).all() for g in grads):
                    for g in grads:
                        g.div_(self.factor)
                    optimizer.step()
                else:
                    self.skipped += 1

            def update(self):
                self.factor /= 2
        tried, scaler = Training(), Scaler()
        batches, state = [tried.batch() for _ in range(3)], scaler.state_dict()
        seen, ways = [], {"mgda": "mgda", "fixed": [1, 2, 3]}

        def validate():
            seen.append(scaler.factor)
            return tried.validate()
        scaled = ParetoTrial(tried.model, tried.optimizer, tried.model.trunk, scaler=scaler)(tried.model.losses, batches, validate, ways)
        plain = ParetoTrial(tried.model, tried.optimizer, tried.model.trunk)(tried.model.losses, batches, tried.validate, ways)
        for one, other in zip(scaled, plain):
            self.assertEqual(one["name"], other["name"])
            numpy.testing.assert_allclose(one["losses"], other["losses"], rtol=1e-4)
        self.assertEqual((seen, scaler.state_dict()), ([128.0] * 3, state))

        skipped = []
        scaler.factor = 1e38  # every gradient overflows

        def count():
            skipped.append(scaler.skipped)
            return tried.validate()
        ParetoTrial(tried.model, tried.optimizer, tried.model.trunk, scaler=scaler)(lambda batch: [100 * v for v in tried.model.losses(batch)],
                                                                                    batches[:1], count, ["mgda"])
        self.assertEqual(skipped, [1, 1])


class Rules(unittest.TestCase):
    def test_by_their_definitions(self):
        draw = numpy.random.RandomState(0)
        for count in (1, 2, 3, 8):
            for scales in (0, 2):
                g = draw.normal(size=(count, 12)) * 10 ** (scales * draw.uniform(-1, 1, (count, 1)))
                gramian = g @ g.T
                close = lambda a, b: numpy.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6 * abs(b).max() if numpy.ndim(b) else 1e-6 * abs(b))
                least = rules["mgda"](gramian, draw)
                close(least.sum(), count)
                rates = gramian @ least
                self.assertGreater(rates.min(), (least @ rates / count) * (1 - 1e-6))  # the shortest vector's condition
                self.assertGreater((gramian @ rules["upgrad"](gramian, draw)).min(), -1e-9 * gramian.max())
                nash = rules["nashmtl"](gramian, draw)
                close((gramian @ nash) * nash, numpy.full(count, nash @ gramian @ nash / count))
                mean, moved = numpy.full(count, 1 / count), rules["cagrad"](gramian, draw) / count * (1 + 0.4 ** 2)
                offset = (moved - mean) @ gramian @ (moved - mean)
                close(offset, 0.4 ** 2 * (mean @ gramian @ mean))
                # No other point on that sphere has a larger least rate.
                for _ in range(50):
                    other = numpy.abs(draw.normal(size=count))
                    other = mean + other * numpy.sqrt(offset / (other @ gramian @ other))
                    self.assertLessEqual((gramian @ other).min(), (gramian @ moved).min() + 1e-7 * gramian.max())
                self.assertEqual(len(rules["pcgrad"](gramian, draw)), count)
        numpy.testing.assert_allclose(rules["pcgrad"](numpy.array([[1.0, -1], [-1, 4]]), draw), [2, 1.25])
        for gramian in (numpy.zeros((2, 2)), numpy.ones((3, 3)), numpy.array([[1.0, -1], [-1, 1]]), numpy.array([[4.0, 2], [2, 1]]), numpy.eye(2), numpy.diag([1e-16, 1e16]), numpy.diag([0.0, 1])):
            for name, rule in rules.items():
                self.assertTrue(numpy.isfinite(rule(copy.copy(gramian), draw)).all(), (name, gramian))


if __name__ == "__main__":
    unittest.main()
