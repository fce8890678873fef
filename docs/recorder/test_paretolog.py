"""Holds the recorder to what it promises: the same training twice, with and without it, to the last bit; the right
products of whatever people train; and a sentence where there are none.

    python3 test_paretolog.py
"""
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
import warnings
from types import SimpleNamespace
from unittest import mock

import numpy
import torch
from torch import nn

from paretolog import ParetoLog

STEPS, OBJECTIVES = 25, 3
HERE = os.path.dirname(os.path.abspath(__file__))


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


COMPILED = """
import os, sys, tempfile, warnings
import numpy, torch
from paretolog import ParetoLog
warnings.simplefilter("ignore")
torch.manual_seed(0)
trunk = torch.nn.Sequential(torch.nn.Linear(6, 16), torch.nn.Tanh(), torch.nn.LayerNorm(16), torch.nn.Linear(16, 8))
compiled, x = torch.compile(trunk), torch.randn(20, 6)
losses = lambda network: [(network(x) ** 2).mean(), network(x)[:, 0].sum()]
if sys.argv[1] != "first":
    sum(losses(compiled)).backward()
if sys.argv[1] != "plain":
    warnings.showwarning = lambda message, *rest: print(message)
    warnings.filterwarnings("always", message=".*ParetoLog|.*recorded")
    folder = tempfile.mkdtemp()
    logs = [ParetoLog(os.path.join(folder, name), trunk) for name in ("a.npz", "b.npz")]
    logs[0](losses(compiled)), logs[1](losses(trunk))
    if logs[0].rows:
        print(abs(logs[0].rows[0]["gramian"] / logs[1].rows[0]["gramian"] - 1).max())
"""

DISTRIBUTED_HEAD = """
import sys, torch
from torch import distributed
from torch.nn.parallel import DistributedDataParallel
from paretolog import ParetoLog
rank, path = int(sys.argv[1]), sys.argv[2]
distributed.init_process_group("gloo", init_method="file://" + path + ".meet", rank=rank, world_size=2)
torch.set_num_threads(1)
torch.manual_seed(0)

def refused(*of, **options):
    try:
        ParetoLog(path, *of, **options)
    except ValueError as error:
        return str(error)
    raise AssertionError("not refused")
"""
DISTRIBUTED = {"means": """
def train(record, **options):
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(4, 6), torch.nn.BatchNorm1d(6), torch.nn.ReLU(), torch.nn.Linear(6, 2))
    wrapped, step = DistributedDataParallel(model, **options), torch.optim.SGD(model.parameters(), lr=0.1)
    log = record(model)
    draw = torch.Generator().manual_seed(5 + rank)
    gramians = []
    for _ in range(4):
        x, other = torch.randn(2, 8, 4, generator=draw)
        losses = lambda network, x: [(out ** 2).mean() for out in network(x).T]
        now = losses(wrapped, x)
        if log:
            log(now, cross=lambda: losses(model, other))
        else:
            grad = lambda loss: torch.autograd.grad(loss, model.parameters(), retain_graph=True)
            rows = torch.stack([torch.cat([g.flatten() for g in grad(loss)]) for loss in now])
            distributed.all_reduce(rows)
            gramians.append(rows.double() @ rows.double().T / 4)
        step.zero_grad()
        sum(now).backward()
        step.step()
    if log:
        log.save()
    return [*model.state_dict().values(), torch.get_rng_state()], gramians

for name, options in ("plain", {}), ("unused", {"find_unused_parameters": True}):
    file = path + "." + name
    plain, want = train(lambda model: None, **options)
    again, _ = train(lambda model: ParetoLog(file, model, model=model, group=distributed.group.WORLD), **options)
    assert all(torch.equal(a, b) for a, b in zip(plain, again)), name
    distributed.barrier()
    import numpy
    with numpy.load(file) as log:
        assert len(log["step"]) == 4 and abs(log["gramian"] / torch.stack(want).numpy() - 1).max() < 1e-4, name
    import os
    assert not os.path.exists(file + ".part")
distributed.barrier()
print("right")
""", "refused": """
model = torch.nn.Linear(4, 2)
assert "several processes" in refused(model)
still = DistributedDataParallel(torch.nn.Linear(4, 2), static_graph=True)
assert "no static_graph" in refused(still, model=still, group=distributed.group.WORLD)
alone = ParetoLog(path + str(rank), model, group=False)
alone([model(torch.ones(4) * (rank + 1))[0], model(torch.ones(4))[1]])
assert alone.rows[0]["gramian"][0, 0] == 4 * (rank + 1) ** 2 + 1
if hasattr(torch, "compile"):
    from torch.distributed.fsdp import FullyShardedDataParallel, fully_shard
    for original in False, True:
        sharded = FullyShardedDataParallel(torch.nn.Linear(4, 2), use_orig_params=original, device_id=torch.device("cpu"))
        assert "FSDP" in refused(sharded, group=distributed.group.WORLD)
    later = torch.nn.Linear(4, 2)
    log = ParetoLog(path + ".later", later, group=distributed.group.WORLD)
    sharded = FullyShardedDataParallel(later, use_orig_params=True, device_id=torch.device("cpu"))
    try:
        log([sharded(torch.ones(1, 4)).sum()])
    except ValueError as error:
        assert "FSDP" in str(error) or "no loss depends" in str(error)
    else:
        raise AssertionError("not refused")
    assert "FSDP" in refused(fully_shard(torch.nn.Linear(4, 2)), group=distributed.group.WORLD)
distributed.barrier()
print("right")
"""}


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
                                      "forward_seconds": (), "backward_seconds": (), "left_out": ()})
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
                             {"step": "<i8", "losses": "<f8", "gramian": "<f8", "cross": "<f8", "left_out": "<i8",
                              "forward_seconds": "<f8", "backward_seconds": "<f8"})
        self.assertIsNone(x.grad)

    def test_cost(self):
        """S backward passes at every n-th step, as many again with a second batch, one more where it checks; none between, where the
        second batch is not even made."""
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
                self.assertEqual(passes - before, 0 if step % 5 else 3 + 3 * cross + (step == 0))
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

    def record(self, log, *calls, says=""):
        """What is in the file after calls of the recorder, which warn of what `says` says, or of nothing."""
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            for losses, options in calls:
                log(losses() if callable(losses) else losses, **options)
            log.save()
        texts = [str(warning.message) for warning in said]
        self.assertEqual([text for text in texts if not says or not re.search(says, text)], [])
        self.assertTrue(texts or not says, "nothing is said")
        if not os.path.exists(log.path):
            return None
        with numpy.load(log.path) as file:
            return dict(file)

    def test_what_is_not_finite_is_left_out(self):
        """Also at the first step, also all; and the file says at which steps."""
        _, losses, log = self.small()
        bad = lambda: [loss / 0 for loss in losses()]
        file = self.record(log, (losses, {}), (bad, {}), (losses, {}), (bad, {}), says="step 1 is not recorded.*not finite")
        self.assertEqual((file["step"].tolist(), file["left_out"].tolist()), ([0, 2], [1, 3]))
        x = nn.Parameter(torch.ones(2))
        nothing = ParetoLog(self.path + ".none", [x])
        nan = [x[0] * float("nan"), x[1]]
        self.assertIsNone(self.record(nothing, (nan, {}), (nan, {}), says="not finite"))
        self.assertEqual(os.listdir(os.path.dirname(self.path)), [os.path.basename(self.path)])
        nothing.save()  # which may come again
        self.assertEqual(self.record(nothing, ([x[0], x[1]], {}))["left_out"].tolist(), [0, 1])

    def test_products_that_no_gradients_have(self):
        """Gradients so small that their squares are 0 in double precision, while the products with others are not."""
        x = nn.Parameter(torch.ones(2, dtype=torch.float64))
        small = [x[0] * 1e-170 + x[1] * 1e-171, x.sum()]
        self.assertIsNone(self.record(ParetoLog(self.path, [x]), (small, {}), says="too small"))
        half = nn.Parameter(torch.ones(2, dtype=torch.float16))
        rows = [(half * torch.tensor(v, dtype=torch.float16)).sum() for v in ([1e-6, 2e-6], [1.0, 1.0])]
        file = self.record(ParetoLog(self.path + ".half", [half]), (rows, {}))
        g = numpy.array([[1e-6, 2e-6], [1, 1]], "float16").astype("float64")
        self.assertLess(abs(file["gramian"][0] - g @ g.T).max(), 1e-15)

    def test_scale(self):
        """Losses that a GradScaler has multiplied, by another number at each step."""
        _, losses, log = self.small()
        calls = [(lambda s=s: [loss * s for loss in losses()], {"scale": s, "cross": lambda s=s: [2 * s * loss for loss in losses()]})
                 for s in (65536.0, 131072.0, 1.0)]
        file = self.record(log, *calls)
        self.assertEqual(file["losses"].tolist(), [[5, 9]] * 3)
        self.assertEqual(file["gramian"].tolist(), [[[10, 4], [4, 16]]] * 3)
        self.assertEqual(file["cross"].tolist(), [[[20, 8], [8, 32]]] * 3)

    def test_complex_parameters(self):
        """Re(g^H h), which is what a step along one gradient does to the other loss."""
        z = nn.Parameter(torch.tensor([1 + 2j, 3 - 1j]))
        losses = [(z.abs() ** 2).sum(), (z * (2 + 1j)).imag.sum()]
        file = self.record(ParetoLog(self.path, [z]), (losses, {}))
        g = [torch.autograd.grad(loss, z, retain_graph=True)[0] for loss in losses]
        want = [[(a.conj() * b).sum().real.item() for b in g] for a in g]
        self.assertGreater(abs(sum(a.imag.abs().sum() for a in g)), 1)
        self.assertLess(abs(file["gramian"][0] - want).max(), 1e-5)

    def test_parameters(self):
        """Of any shape and layout, in any container; each counts once, however often it is there."""
        table, scale, trunk = nn.Embedding(5, 3, sparse=True), nn.Parameter(torch.tensor(2.0)), nn.Linear(3, 2)
        read = torch.tensor([1, 1, 4])

        def losses():
            out = trunk(table(read)) / scale
            return [(out[:, 0] ** 2).sum(), out[:, 1].sum()]
        every = [table.weight, scale, *trunk.parameters()]
        rows = [torch.cat([(g.to_dense() if g.is_sparse else g).flatten() for g in torch.autograd.grad(loss, every)]).double()
                for loss in (losses()[0], losses()[1])]
        want = (torch.stack(rows) @ torch.stack(rows).T).numpy()
        cases = {"list": every, "generator": (p for p in every), "twice": every + every, "dict": dict(enumerate(every)),
                 "pairs": [(str(k), p) for k, p in enumerate(every)], "pairs of one name": [("weight", p) for p in every],
                 "module": nn.ModuleList([table, trunk, nn.ParameterList([scale])]),
                 "variables": [SimpleNamespace(value=p) for p in every]}
        for name, shared in cases.items():
            file = self.record(ParetoLog(pathlib.Path(self.path + "." + name), shared), (losses, {}))
            self.assertLess(abs(file["gramian"][0] / want - 1).max(), 1e-5, name)
        one = ParetoLog(self.path + ".one", scale)
        self.assertLess(abs(self.record(one, (losses, {}))["gramian"][0, 1, 1] / float(rows[1][15] ** 2) - 1), 1e-5)
        empty = ParetoLog(self.path + ".empty", [*every, nn.Parameter(torch.ones(0, 3))])
        self.assertLess(abs(self.record(empty, (losses, {}), says="reaches.*: 4$")["gramian"][0] / want - 1).max(), 1e-5)
        with self.assertRaisesRegex(ValueError, "shared: 0 is a dict"):
            ParetoLog(self.path + ".groups", torch.optim.SGD(every, lr=1).param_groups)

    def test_tied_parameters_count_once(self):
        """An encoder and a decoder with one matrix."""
        coder, decoder = nn.Linear(3, 3, bias=False), nn.Linear(3, 3, bias=False)
        decoder.weight = coder.weight
        x = torch.tensor([[1.0, 2.0, 3.0]])
        losses = [(decoder(coder(x)) ** 2).sum(), coder(x).sum()]
        g = torch.stack([torch.autograd.grad(loss, coder.weight, retain_graph=True)[0].flatten() for loss in losses]).double()
        file = self.record(ParetoLog(self.path, [*coder.parameters(), *decoder.parameters()]), (losses, {}))
        self.assertLess(abs(file["gramian"][0] / (g @ g.T).numpy() - 1).max(), 1e-12)

    def test_parameters_that_no_loss_reaches_are_named(self):
        """Frozen, replaced, an average beside the run, or hidden by weight norm; each once."""
        model = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 3), nn.Linear(3, 1))
        average = nn.Linear(3, 1)
        log = ParetoLog(self.path, [*model.parameters(), *average.parameters()], model=model)
        model[0].weight.requires_grad_(False)
        model[1] = nn.Linear(3, 3)
        nn.utils.weight_norm(model[2])
        losses = lambda: [model(torch.ones(1, 2)).sum(), (model(torch.ones(1, 2)) ** 2).sum()]
        file = self.record(log, (losses, {}), (losses, {}), says=r"step 0: .*: 0.weight \(frozen\), 1.weight, 1.bias, 2.weight, 6, 7$")
        g = [[torch.autograd.grad(loss, p)[0].flatten() for p in (model[0].bias, model[2].bias) for loss in [losses()[i]]] for i in (0, 1)]
        g = torch.stack([torch.cat(row) for row in g]).double()
        self.assertLess(abs(file["gramian"][1] - (g @ g.T).numpy()).max(), 1e-5)

    def test_frozen_and_unfrozen_later(self):
        x, y = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(1))
        y.requires_grad_(False)
        log = ParetoLog(self.path, {"x": x, "y": y})
        losses = lambda: [x[0] + 2 * y.sum(), x[1] + 0 * y.sum()]
        log_with = lambda: [loss * 1 for loss in losses()]
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            log(log_with())
            y.requires_grad_(True)
            log(log_with())
            x.requires_grad_(False)
            log(log_with())
            log.save()
        self.assertEqual([str(w.message).partition(": ")[0] for w in said], ["step 0", "step 2"])
        self.assertIn("y (frozen)", str(said[0].message))
        self.assertIn("x (frozen)", str(said[1].message))
        with numpy.load(self.path) as file:
            self.assertEqual(file["gramian"].tolist(), [[[1, 0], [0, 1]], [[5, 0], [0, 1]], [[4, 0], [0, 0]]])

    def test_a_loss_without_a_graph_has_no_gradient(self):
        _, losses, log = self.small()
        part = lambda: [losses()[0], torch.tensor(7.0)]
        file = self.record(log, (losses, {}), (part, {}), (lambda: [0.5, torch.tensor(7.0)], {}), says="no loss reaches")
        self.assertEqual(file["gramian"].tolist(), [[[10, 4], [4, 16]], [[10, 0], [0, 0]], [[0, 0], [0, 0]]])
        self.assertEqual(file["losses"].tolist(), [[5, 9], [5, 7], [0.5, 7]])

    def test_losses_by_name(self):
        x = nn.Parameter(torch.ones(2))
        first, second = lambda: {"a": x[0], "b": 2 * x[1]}, lambda: {"b": 2 * x[1], "a": x[0]}
        file = self.record(ParetoLog(self.path, [x]), (first, {"cross": second}), (second, {"cross": first}))
        self.assertEqual(file["names"].tolist(), ["a", "b"])
        self.assertEqual(file["losses"].tolist(), [[1, 2]] * 2)
        self.assertEqual(file["cross"].tolist(), [[[1, 0], [0, 4]]] * 2)

    def test_steps_are_the_run_s(self):
        """The parts of a batch, and the calls of a closure, are one step; a run that goes on counts from where it was."""
        _, losses, log = self.small(every=2)
        file = self.record(log, *[(losses, {"step": step}) for step in (0, 0, 0, 1, 1, 2, 2, 4, 4, 50, 2)])
        self.assertEqual(file["step"].tolist(), [0, 2, 4, 50, 2])
        x = nn.Parameter(torch.tensor([3.0, -2.0]))
        search = torch.optim.LBFGS([x], max_iter=5)
        log, calls = ParetoLog(self.path + ".search", [x]), 0
        for step in range(3):
            before = x.detach().clone()

            def closure():
                nonlocal calls
                calls += 1
                search.zero_grad()
                losses = [(x[0] - 1) ** 4 + x[1] ** 2, (x[1] + 1) ** 4]
                log(losses, step=step)
                sum(losses).backward()
                return sum(losses)
            search.step(closure)
            self.assertAlmostEqual(log.rows[-1]["losses"][1], ((before[1] + 1) ** 4).item(), 5)
        self.assertGreater(calls, 3)
        self.assertEqual([row["step"] for row in log.rows], [0, 1, 2])

    def test_backward_passes_that_may_not_be_repeated(self):
        """As in CUDA graphs whose buffers are used up by the first pass, which raise nothing: the record is not kept."""
        wear, passes = 0.0, 0

        class Worn(torch.autograd.Function):
            @staticmethod
            def forward(context, x):
                return x * 1

            @staticmethod
            def backward(context, gradient):
                nonlocal passes
                passes += 1
                return gradient * (1 - wear) ** passes
        x = nn.Parameter(torch.tensor([1.0, 2.0]))

        def losses():
            nonlocal passes
            passes = 0
            y = Worn.apply(x)
            return [y[0] * 3 + y[1], y[1] ** 2]
        log = ParetoLog(self.path, [x])
        for wear, steps in (0.5, 3), (0.0, 100), (1e-3, 2), (0.0, 1):
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                for _ in range(steps):
                    log(losses())
            self.assertEqual([str(w.message)[:40] for w in said if "do not add up" in str(w.message)],
                             {0.5: ["step 0 is not recorded, 1 so far: the gr"]}.get(wear, []))
        log.save()
        with numpy.load(self.path) as file:
            self.assertEqual(file["left_out"].tolist(), [0, 1, 2, 103, 104])
            self.assertEqual(file["step"].tolist(), [*range(3, 103), 105])

    def test_sixteen_bits_are_not_taken_for_a_fault(self):
        """They round the sum of the rows by more than 1e-4."""
        torch.manual_seed(0)
        for kind in (torch.bfloat16, torch.float16) if hasattr(torch, "compile") else (torch.bfloat16,):
            x, matrix = nn.Parameter(torch.randn(300).to(kind)), torch.randn(40, 300).to(kind)
            path = f"{self.path}.{kind}"
            file = self.record(ParetoLog(path, [x]), (lambda: list(((matrix * x) ** 2).mean(1)), {}))
            self.assertEqual(len(file["step"]), 1)

    def test_frozen_state_is_put_back(self):
        """Where a layer keeps running means and seeds in parameters, as Keras's do, and where the second batch fails."""
        class Keeps(nn.Module):
            def __init__(self):
                super().__init__()
                self.mean = nn.Parameter(torch.zeros(2), requires_grad=False)
                self.seed = nn.Parameter(torch.zeros(1, dtype=torch.int64), requires_grad=False)
                self.weight = nn.Parameter(torch.ones(2))

            def forward(self, x):
                with torch.no_grad():
                    self.mean.copy_(0.9 * self.mean + 0.1 * x)
                    self.seed.add_(1)
                return [(self.weight * x).sum(), (self.weight ** 2 * self.mean.clone()).sum()]
        model, twin = Keeps(), Keeps()
        log = ParetoLog(self.path, [model.weight], model=model)
        for step in range(4):
            x = torch.tensor([1.0, step])
            losses = model(x)
            log(losses, cross=lambda: model(x + 5))
            sum(losses).backward()
            sum(twin(x)).backward()
            for a, b in zip(model.parameters(), twin.parameters()):
                self.assertTrue(torch.equal(a, b))
            self.assertTrue(torch.equal(model.weight.grad, twin.weight.grad))
        buffers = nn.BatchNorm1d(2)
        held = buffers.running_mean
        log = ParetoLog(self.path + ".fails", buffers, model=buffers)
        y = buffers(torch.randn(4, 2))
        with self.assertRaises(ZeroDivisionError):
            log([y.sum(), (y ** 3).sum()], cross=lambda: [buffers(torch.randn(4, 2)).sum() / 1, 1 / 0])
        self.assertIs(buffers.running_mean, held)

    @unittest.skipUnless(hasattr(torch, "compile"), "PyTorch 2 compiles")
    def test_compiled_models(self):
        """In processes of their own, with one cache on disk: after a run without the recorder, which leaves passes there that may not
        be repeated; and after a step in the same process, which is said before the run begins."""
        said = {how: subprocess.run([sys.executable, "-B", "-c", COMPILED, how], cwd=HERE, check=True, text=True,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                    env={**os.environ, "TORCHINDUCTOR_CACHE_DIR": self.path + ".cache"}).stdout.splitlines()
                for how in ("plain", "first", "late")}
        self.assertEqual(said["plain"], [])
        self.assertEqual(said["first"][:-1], [])
        self.assertLess(float(said["first"][-1]), 1e-5)
        self.assertIn("was compiled before the ParetoLog was made", said["late"][0])
        self.assertRegex("\n".join(said["late"][1:]), "not recorded|donated")

    def test_two_processes(self):
        """DistributedDataParallel: what is recorded is the mean over the processes, the run is the same to the last bit, and what cannot
        be right is refused."""
        for what in DISTRIBUTED:
            with self.subTest(what):
                code = "\n".join([DISTRIBUTED_HEAD, DISTRIBUTED[what]])
                workers = [subprocess.Popen([sys.executable, "-B", "-W", "ignore", "-c", code, str(rank), f"{self.path}.{what}.npz"],
                                            cwd=HERE, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for rank in range(2)]
                try:
                    for worker in workers:
                        said, _ = worker.communicate(timeout=240)
                        self.assertEqual((worker.returncode, said.splitlines()[-1:]), (0, ["right"]), said)
                finally:
                    for worker in workers:
                        worker.kill()
                        worker.communicate()

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
        ParetoLog(self.path + ".twice", [x])
        with self.assertRaisesRegex(ValueError, "another recorder"):
            ParetoLog(self.path + ".twice", [x])
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
        self.assertEqual(len(blocks), 9)
        for block in blocks:
            compile(block, "runlog.md", "exec")


if __name__ == "__main__":
    unittest.main()
