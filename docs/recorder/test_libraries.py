"""Runs the snippets of docs/runlog.md, as they stand there, with the libraries that they are for, and compares what they record with
gradients that are computed apart. A library that is not installed is skipped, and said; make test-recorder installs them.

    LIBMTL=folder/of/its/repository python3 test_libraries.py
"""
import contextlib
import copy
import importlib.util
import json
import logging
import os
import re
import shutil
import sys
import tempfile
import types
import unittest
import warnings

import numpy
import torch
from torch import nn

from paretolog import ParetoLog

HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "..", "runlog.md"), encoding="utf-8") as document:
    BLOCKS = re.findall(r"```python\n(.*?)```", document.read(), re.DOTALL)


def snippet(word):
    """The one block of the document that has this word."""
    block, = [block for block in BLOCKS if word in block]
    return compile(block, f"runlog.md: {word}", "exec")


def has(*modules):
    return unittest.skipUnless(all(importlib.util.find_spec(module) for module in modules), f"needs {' and '.join(modules)}")


def rows_of(losses, parameters):
    parameters = list(parameters)
    rows = [torch.autograd.grad(loss, parameters, retain_graph=True) for loss in losses]
    return torch.stack([torch.cat([g.flatten() for g in row]) for row in rows]).double().numpy()


class Net(nn.Module):
    """Two losses, with what a recorder may disturb: running means and dropout."""

    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.Tanh(), nn.Dropout(0.3))
        self.heads = nn.ModuleList(nn.Linear(6, 1) for _ in range(2))

    def forward(self, x):
        features = self.trunk(x)
        return [head(features) for head in self.heads]


def compute(model, x):
    return [(y.float() ** 2).mean() for y in model(x)]


def numbers(module):
    return torch.cat([p.detach().double().flatten() for p in [*module.parameters(), *module.buffers()]])


class Snippets(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        torch.manual_seed(0)

    def close(self, a, b, tolerance=1e-6):
        a, b = numpy.asarray(a), numpy.asarray(b)
        self.assertEqual(a.shape, b.shape)
        self.assertLess(abs(a - b).max(), tolerance * abs(b).max())

    def lines(self):
        with open("run.jsonl") as file:
            return [json.loads(line) for line in file]

    def steps(self, rows=None):
        """The steps in the log, which is removed; rows are the gradients at the first one."""
        with numpy.load("run.npz") as log:
            steps, gramian = log["step"].tolist(), log["gramian"][0]
        os.remove("run.npz")
        if rows is not None:
            self.close(gramian, rows @ rows.T, 1e-4)
        return steps

    def rows(self, batch):
        """The gradients of a new Net on a batch, as the runs of Fabric and accelerate begin."""
        torch.manual_seed(1)
        net = Net()
        torch.manual_seed(2)
        return rows_of(compute(net, batch), net.trunk.parameters())

    @has("lightning")
    def test_lightning(self):
        """Automatic and manual optimisation, with one optimizer and two, parts of batches, and precisions."""
        import lightning
        logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
        data = torch.randn(12 * 8, 4)
        batches = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(data), batch_size=8)
        hooks = {"ParetoLog": ParetoLog}
        exec(snippet("self.recorder = ParetoLog"), hooks)

        def train(recorded, manual, optimizers, parts, precision):
            class Module(lightning.LightningModule):
                def __init__(self):
                    super().__init__()
                    self.net, self.automatic_optimization = Net(), not manual
                    self.trunk = self.net.trunk

                def losses(self, batch):
                    losses = compute(self.net, batch[0])
                    if not rows:
                        rows.append(rows_of(losses, self.trunk.parameters()))
                    return losses

                def training_step(self, batch, index):
                    return self.train_on(self.losses(batch))

                def train_on(self, losses):
                    self.log("loss/depth", losses[0])
                    if not manual:
                        return sum(losses)
                    all_of_them = [self.optimizers()] if optimizers == 1 else self.optimizers()
                    for optimizer in all_of_them:
                        optimizer.zero_grad()
                    self.manual_backward(sum(losses))
                    for optimizer in all_of_them:
                        optimizer.step()

                def configure_optimizers(self):
                    shares = [self.parameters()] if optimizers == 1 else [self.net.trunk.parameters(), self.net.heads.parameters()]
                    return [torch.optim.SGD(share, lr=0.1) for share in shares]
            if recorded:
                for name in "on_fit_start", "training_step", "on_fit_end":
                    setattr(Module, name, hooks[name])
            torch.manual_seed(1)
            module = Module()
            torch.manual_seed(2)
            trainer = lightning.Trainer(accelerator="cpu", devices=1, max_epochs=3, logger=False, enable_checkpointing=False,
                                        precision=precision, enable_progress_bar=False, enable_model_summary=False, accumulate_grad_batches=parts)
            trainer.fit(module, batches)
            return numbers(module)
        tens = [0, 10, 20, 30]
        for *case, want in ((False, 1, 1, "32-true", tens), (False, 1, 3, "32-true", [0, 10]), (True, 1, 1, "32-true", tens),
                            (True, 2, 1, "32-true", list(range(0, 72, 10))), (False, 1, 1, "bf16-mixed", tens), (True, 1, 1, "bf16-mixed", tens)):
            with self.subTest(case=case), warnings.catch_warnings():
                warnings.filterwarnings("ignore", module="lightning")
                rows = []
                self.assertTrue(torch.equal(train(False, *case), train(True, *case)))
                self.assertEqual(self.steps(rows[0] if case[3] == "32-true" else None), want)

    @has("lightning")
    def test_fabric(self):
        """In mixed precision the model that Fabric returns is refused, and the one inside is not; the run is that of the wrapped one."""
        from lightning.fabric import Fabric
        logging.getLogger("lightning.fabric").setLevel(logging.ERROR)
        data = torch.randn(12, 8, 4)
        for precision in "32-true", "bf16-mixed":
            def start():
                torch.manual_seed(1)
                model = Net()
                torch.manual_seed(2)
                return Fabric(accelerator="cpu", devices=1, precision=precision), model, torch.optim.SGD(model.parameters(), lr=0.1)
            with self.subTest(precision=precision), warnings.catch_warnings():
                warnings.filterwarnings("ignore", message=".*CUDA is not available|.*no loss reaches")
                fabric, plain, optimizer = start()
                wrapped, optimizer = fabric.setup(plain, optimizer)
                for batch in data:
                    losses = compute(wrapped, batch)
                    optimizer.zero_grad()
                    fabric.backward(sum(losses))
                    optimizer.step()
                if precision != "32-true":
                    with self.assertRaisesRegex(RuntimeError, "requires you to call `fabric.backward"):
                        ParetoLog("refused.npz", wrapped.trunk)(compute(wrapped, data[0]))
                    os.remove("refused.npz.part")
                fabric, model, optimizer = start()
                exec(snippet("fabric.autocast()"),
                     dict(ParetoLog=ParetoLog, fabric=fabric, model=model, optimizer=optimizer, batches=data, compute=compute))
                if precision != "32-true":  # the lines above have trained it for one more batch norm
                    plain.trunk[1].load_state_dict(model.trunk[1].state_dict())
                self.assertTrue(torch.equal(numbers(plain), numbers(model)))
                self.assertEqual(self.steps(self.rows(data[0]) if precision == "32-true" else None), [0, 10])

    @has("accelerate")
    def test_accelerate(self):
        """Precisions, and parts of batches."""
        from accelerate import Accelerator
        from accelerate.state import AcceleratorState
        data = torch.randn(36, 8, 4)
        for precision, parts in ("no", 1), ("no", 3), ("bf16", 1), ("bf16", 3):
            def train(recorded):
                AcceleratorState._reset_state(True)
                torch.manual_seed(1)
                model = Net()
                torch.manual_seed(2)
                accelerator = Accelerator(cpu=True, mixed_precision=precision, gradient_accumulation_steps=parts)
                model, optimizer = accelerator.prepare(model, torch.optim.SGD(model.parameters(), lr=0.1))
                log = ParetoLog("run.npz", model.trunk, every=5, model=model) if recorded else \
                    type("Nothing", (), {"__call__": lambda *_, **more: None, "save": lambda _: None})()
                exec(snippet("accelerator.sync_gradients"),
                     dict(accelerator=accelerator, model=model, optimizer=optimizer, log=log, batches=data, compute=compute))
                return numbers(model)
            with self.subTest(precision=precision, parts=parts), warnings.catch_warnings():
                warnings.filterwarnings("ignore", module="accelerate|torch")
                self.assertTrue(torch.equal(train(False), train(True)))
                self.assertEqual(self.steps(self.rows(data[0]) if precision == "no" else None), list(range(0, 36 // parts, 5)))

    @has("torchjd")
    def test_torchjd(self):
        """Every rule that the snippet names; a step with NaN is left out and counted; a heads' Gramian is another one."""
        from torchjd import aggregation, autogram
        from torchjd.autojac import jac_to_grad, mtl_backward
        rules = [aggregation.UPGrad(), aggregation.MGDA(), aggregation.CAGrad(c=0.5), aggregation.PCGrad(), aggregation.GradVac(),
                 aggregation.IMTLG(), aggregation.DualProj(), aggregation.AlignedMTL(), aggregation.FairGrad(alpha=1.0)]
        for aggregator in rules:
            trunk, heads = nn.Sequential(nn.Linear(5, 6), nn.Tanh()), nn.ModuleList(nn.Linear(6, 1) for _ in range(3))
            optimizer, want = torch.optim.SGD([*trunk.parameters(), *heads.parameters()], lr=0.05), []

            def compute(features, batch):
                losses = [(head(features) ** 2).mean() for head in heads]
                own = rows_of(losses, trunk.parameters())
                want.append(([loss.item() for loss in losses], own @ own.T))
                return losses
            space = dict(json=json, aggregator=aggregator, mtl_backward=mtl_backward, jac_to_grad=jac_to_grad, trunk=trunk, compute=compute,
                         optimizer=optimizer, batches=list(torch.randn(4, 8, 5)))
            exec(snippet("def keep(record)"), space)
            exec(snippet("gramian_weighting"), space)
            got = self.lines()
            self.assertEqual([line["step"] for line in got], [0, 1, 2, 3])
            for line, (losses, gramian) in zip(got, want):
                self.close(line["losses"], losses)
                self.close(line["gramian"], gramian)
                self.assertEqual(len(line["weights"]), 3)
            space["keep"]({"step": 4, "losses": [float("nan"), 1], "gramian": [[1, 0], [0, 1]]})
            self.assertEqual((space["left_out"], len(self.lines())), ([4], 4))
            space["file"].close()
        g = rows_of([(head(trunk(torch.ones(2, 5))) ** 2).mean() for head in heads], trunk.parameters())
        for more in False, True:
            ours, ends = copy.deepcopy(trunk), copy.deepcopy(heads)
            engine = autogram.Engine(ours, *ends if more else (), batch_dim=None)
            losses = torch.stack([(head(ours(torch.ones(2, 5))) ** 2).mean() for head in ends])
            apart = abs(engine.compute_gramian(losses).numpy() / (g @ g.T) - 1).max()
            self.assertTrue(apart > 0.1 if more else apart < 1e-4, apart)

    @unittest.skipUnless(os.environ.get("LIBMTL"), "LIBMTL names no folder with LibMTL's repository")
    def test_libmtl(self):
        """The snippet around its weightings, which need no GPU."""
        sys.path.insert(0, os.environ["LIBMTL"])
        self.addCleanup(sys.path.remove, os.environ["LIBMTL"])
        self.addCleanup(lambda: [sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "LibMTL"])
        package = types.ModuleType("LibMTL")  # without what the package itself imports
        package.__path__ = [os.path.join(os.environ["LIBMTL"], "LibMTL")]
        sys.modules["LibMTL"] = package
        from LibMTL import weighting
        from LibMTL.architecture.HPS import HPS
        names, worked = ["left", "right"], []
        for name in "EW MGDA UW DWA GLS PCGrad GradVac IMTL CAGrad RLW FairGrad FAMO UPGrad DB_MTL STCH ExcessMTL MoCo".split():
            rule = getattr(weighting, name)
            heads = nn.ModuleDict({n: nn.Linear(3, 1) for n in names})
            model = type("Model", (HPS, rule), {})(names, lambda: nn.Linear(4, 3), heads, False, False, torch.device("cpu"))
            model.init_param()
            model.train_loss_buffer, model.epoch = numpy.zeros([2, 9]), 3
            model.rep_grad, want = False, []
            usual = dict(calpha=0.5, rescale=1, GradVac_beta=0.5, GradVac_group_type=0, T=2.0, mgda_gn="none", FairGrad_alpha=1.0,
                         FAMO_w_lr=0.025, FAMO_w_gamma=1e-3, UPGrad_norm_eps=1e-4, UPGrad_reg_eps=1e-4, DB_beta=0.9, DB_beta_sigma=0,
                         STCH_mu=1.0, STCH_warmup_epoch=4, robust_step_size=1e-2, MoCo_beta=0.5, MoCo_beta_sigma=0.5, MoCo_gamma=0.1,
                         MoCo_gamma_sigma=0.5, MoCo_rho=0)

            def train(*_):
                for _ in range(11):
                    out = model(torch.randn(6, 4))
                    losses = torch.stack([(out[n] ** 2).mean() for n in names])
                    g = rows_of(losses, model.get_share_params())
                    want.append(g @ g.T)
                    model.zero_grad()
                    model.backward(losses, **usual)
            trainer = types.SimpleNamespace(model=model, task_name=names, train=train)
            for left in os.listdir():
                os.remove(left)
            space = dict(ParetoLog=ParetoLog, trainer=trainer, train_loaders=None, test_loaders=None, epochs=1)
            try:
                exec(snippet("trainer.model.get_share_params"), space)
            except (KeyError, ImportError) as error:  # a setting or a package that the rule wants
                print(f"LibMTL's {name} did not run: {error!r}", file=sys.stderr)
                continue
            with numpy.load("run.npz") as log:
                self.close(log["gramian"], [want[0], want[10]])
                self.assertEqual(log["names"].tolist(), names)
            worked.append(name)
        self.assertGreaterEqual(len(worked), 12, worked)

    @has("torch_geometric")
    @unittest.skipUnless(os.environ.get("LIBMTL"), "LIBMTL names no folder with LibMTL's repository")
    def test_libmtl_trainer(self):
        """Its Trainer stops without a GPU; with the one line changed that the document names the snippet records it, bit for bit."""
        line = "torch.device('cuda:0')"
        for device in ["cuda:0"] * (not torch.cuda.is_available()) + ["cpu"]:
            shutil.copytree(os.path.join(os.environ["LIBMTL"], "LibMTL"), os.path.join(device, "LibMTL"))
            with open(os.path.join(device, "LibMTL", "trainer.py"), encoding="utf-8") as file:
                text = file.read()
            self.assertEqual(text.count(line), 1)
            with open(os.path.join(device, "LibMTL", "trainer.py"), "w", encoding="utf-8") as file:
                file.write(text.replace(line, f"torch.device('{device}')"))
            sys.path.insert(0, os.path.abspath(device))
            try:
                with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
                    if device == "cpu":
                        self.trains()
                    else:
                        with self.assertRaisesRegex(RuntimeError, "Found no NVIDIA driver"):
                            self.trains()
            finally:
                sys.path.pop(0)
                for name in [name for name in sys.modules if name.split(".")[0] == "LibMTL"]:
                    del sys.modules[name]

    def trains(self):
        """LibMTL's Trainer with the snippet and without it."""
        import LibMTL
        from LibMTL.loss import MSELoss

        class Metric(LibMTL.metrics.AbsMetric):
            def update_fun(self, prediction, truth):
                self.record.append(((prediction - truth) ** 2).mean().item())

            def score_fun(self):
                return [numpy.mean(self.record)]

            def reinit(self):
                self.record = []
        x = torch.randn(24, 4)
        rows = [(row, {"left": row[:1], "right": row[1:2] - row[2:3]}) for row in x]

        def train(recorded):
            torch.manual_seed(1)
            tasks = {name: dict(metrics=["error"], metrics_fn=Metric(), loss_fn=MSELoss(), weight=[0]) for name in ("left", "right")}
            heads = nn.ModuleDict({name: nn.Linear(6, 1) for name in tasks})
            trainer = LibMTL.Trainer(tasks, "CAGrad", "HPS", lambda: nn.Linear(4, 6), heads, False, False, dict(optim="sgd", lr=0.1), None,
                                     weight_args=dict(calpha=0.5, rescale=1), arch_args={})
            loader = torch.utils.data.DataLoader(rows, batch_size=6)
            if recorded:
                exec(snippet("trainer.model.get_share_params"),
                     dict(ParetoLog=ParetoLog, trainer=trainer, train_loaders=loader, test_loaders=loader, epochs=3))
            else:
                trainer.train(loader, loader, 3)
            return numbers(trainer.model)
        self.assertTrue(torch.equal(train(False), train(True)))
        self.assertEqual(self.steps(), [0, 10])

    @has("jax")
    def test_jax(self):
        """Real, complex and mixed parameters; a step with NaN is left out and counted."""
        import jax
        import jax.numpy as jnp
        draw = numpy.random.default_rng(0)
        one, many = draw.normal(size=(3, 2)), draw.normal(size=(2,)) + 1j * draw.normal(size=(2,))
        shares = {"real": {"a": jnp.array(one)}, "complex": {"z": jnp.array(many)}, "mixed": {"a": jnp.array(one), "z": jnp.array(many)}}

        def losses(shared, own, batch):
            a, z = shared.get("a", jnp.array(one)), shared.get("z", jnp.array(many))
            y = (batch @ a) * z
            return jnp.array([(abs(y) ** 2).mean(), y.imag.mean(), y.real.sum() * own])

        def torch_losses(a, z, own, batch):
            y = (batch.to(a.dtype) @ a) * z
            return [(y.abs() ** 2).mean(), y.imag.mean(), y.real.sum() * own]
        for kind, shared in shares.items():
            batch, second = draw.normal(size=(2, 5, 3)).astype("float32")
            space = dict(jax=jax, jnp=jnp, numpy=numpy, json=json, shared=shared, own=jnp.array(2.0), losses=losses, batch=jnp.array(batch),
                         second_batch=jnp.array(second), step=0)
            exec(snippet("def keep(record)"), space)
            exec(snippet("ravel_pytree"), space)
            space.update(step=10, batch=jnp.full((5, 3), jnp.nan))
            exec(snippet("ravel_pytree"), space)
            self.assertEqual(space["left_out"], [10])
            got, = self.lines()
            g = []
            for x in batch, second:
                a, z = torch.tensor(one, dtype=torch.float32), torch.tensor(many, dtype=torch.complex64)
                of = [p.requires_grad_() for name, p in (("a", a), ("z", z)) if name in shared]
                rows = [torch.autograd.grad(loss, of, retain_graph=True) for loss in torch_losses(a, z, 2.0, torch.tensor(x))]
                real = lambda g: torch.view_as_real(g.resolve_conj()).flatten() if g.is_complex() else g.flatten()
                g.append(torch.stack([torch.cat([real(v) for v in row]) for row in rows]).double().numpy())
            self.close(got["gramian"], g[0] @ g[0].T, 1e-5)
            self.close(got["cross"], g[0] @ g[1].T, 1e-5)
            space["file"].close()

    @has("jax", "flax")
    def test_nnx(self):
        """The parameters alone, without batch statistics."""
        import jax
        from flax import nnx
        from jax.flatten_util import ravel_pytree
        trunk = nnx.Sequential(nnx.Linear(3, 4, rngs=nnx.Rngs(0)), nnx.BatchNorm(4, rngs=nnx.Rngs(1)))
        graph, shared, rest = nnx.split(trunk, nnx.Param, ...)
        whole, _ = ravel_pytree(nnx.state(trunk))
        flat, restore = ravel_pytree(shared)
        self.assertEqual((len(flat), len(whole)), (3 * 4 + 4 + 4 + 4, len(flat) + 8))
        merged = nnx.merge(graph, restore(flat), rest)
        self.assertEqual(merged(jax.numpy.ones((2, 3))).shape, (2, 4))

    @has("jax", "equinox")
    def test_equinox(self):
        """An array that two layers share, as one leaf."""
        import equinox
        import jax
        import jax.numpy as jnp
        from jax.flatten_util import ravel_pytree
        first, second = (equinox.nn.Linear(3, 3, use_bias=False, key=jax.random.key(k)) for k in (0, 1))
        x = jnp.array([1.0, 2.0, 3.0])

        def loss(matrix):
            one, two = (equinox.tree_at(lambda layer: layer.weight, layer, matrix) for layer in (first, second))
            return (two(jnp.tanh(one(x))) ** 2).sum()
        tied = equinox.tree_at(lambda layer: layer.weight, second, first.weight)
        g = jax.grad(loss)(first.weight).ravel()
        as_two = jax.grad(lambda layers: (layers[1](jnp.tanh(layers[0](x))) ** 2).sum())((first, tied))
        self.close(sum(ravel_pytree(layer)[0] for layer in as_two), g, 1e-5)
        self.assertGreater(abs((ravel_pytree(as_two)[0] ** 2).sum() / (g ** 2).sum() - 1), 0.01)

    @has("keras")
    def test_keras(self):
        """On PyTorch: variables and layers as `shared`; moving statistics and seeds, which are parameters there, stay the run's."""
        os.environ["KERAS_BACKEND"] = "torch"
        import keras

        def train(record):
            keras.utils.set_random_seed(1)
            trunk = keras.Sequential([keras.layers.Dense(6), keras.layers.BatchNormalization(), keras.layers.Dropout(0.4, seed=3)])
            heads = [keras.layers.Dense(1) for _ in range(2)]
            x = torch.randn(3, 8, 4, generator=torch.Generator().manual_seed(0))
            compute = lambda x: [(head(trunk(x, training=True)) ** 2).mean() for head in heads]
            with torch.no_grad():
                compute(x[0])
            log = record(trunk)
            step = torch.optim.SGD([v.value for layer in (trunk, *heads) for v in layer.trainable_variables], lr=0.1)
            for batch in x:
                losses = compute(batch)
                if log:
                    log(losses, cross=lambda: compute(batch + 1))
                    g = rows_of(losses, [v.value for v in trunk.trainable_variables])
                    self.close(log.rows[-1]["gramian"], g @ g.T)
                step.zero_grad()
                sum(losses).backward()
                step.step()
            return [v.value.detach().clone() for v in trunk.variables]
        plain = train(lambda trunk: None)
        for k, shared in enumerate((lambda trunk: trunk.trainable_variables, lambda trunk: trunk)):
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", message=".*no loss reaches")
                again = train(lambda trunk: ParetoLog(f"keras-{k}.npz", shared(trunk), model=trunk))
            for a, b in zip(plain, again):
                self.assertTrue(torch.equal(a, b))


if __name__ == "__main__":
    unittest.main()
