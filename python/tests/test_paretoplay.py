"""Tests of the package. PARETOPLAY names the program; decisions are compared with it bit for bit."""

import concurrent.futures
import copy
import importlib.util
import json
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import paretoplay as pp

PROGRAM = os.environ["PARETOPLAY"]
J = np.array([[1.0, 0.0, 2.0], [-1.0, 1.0, 0.0], [0.5, -2.0, 1.0]])
G = J @ J.T
F = np.array([1.0, 2.0, 3.0])


def told(*arguments, given=""):
    """Return the program's output, decoded from JSON."""
    return json.loads(subprocess.run([PROGRAM, *arguments], input=given, capture_output=True, text=True, check=True).stdout)


class Weighting(unittest.TestCase):
    def test_golden(self):
        compared = 0
        for method in pp.methods():
            for case in told("golden", "-method", method["name"]):
                rule = pp.Weighting(method["name"], seed=case["seed"])
                got = rule(jacobian=np.array(case["jacobian"]), losses=case["losses"])
                for name in ("weights", "effective", "direction"):
                    want, have = case.get(name), getattr(rule, name)
                    if want is not None:
                        self.assertEqual(have.tolist(), want, (method["name"], case["case"], name))
                        compared += 1
                self.assertEqual(rule.status, case["status"])
                self.assertEqual(got.tolist(), (rule.direction if rule.weights is None else rule.weights).tolist())
        self.assertGreater(compared, 500)

    def test_stream(self):
        """Rules with memory decide like weigh -stream, also after their state is loaded elsewhere."""
        draw = np.random.default_rng(3)
        steps = [(draw.normal(size=(3, 4)), 1 + draw.random(3), 1 + draw.random(3)) for _ in range(8)]
        lines = "".join(json.dumps({"jacobian": j.tolist(), "losses": f.tolist(), "after": a.tolist()}) + "\n" for j, f, a in steps)
        for method in ("psmgd", "crmogm", "moco", "famo", "gradnorm", "dwa", "excessmtl", "pcgrad", "rlw", "dbmtl"):
            said = subprocess.run([PROGRAM, "weigh", "-stream", "-method", method], input=lines, capture_output=True, text=True, check=True)
            rule = pp.Weighting(method)
            for k, (line, (j, f, a)) in enumerate(zip(said.stdout.splitlines(), steps)):
                rule(jacobian=j, losses=f)
                rule.observe(f, a)
                want = json.loads(line)["weights"]
                if want is not None:
                    self.assertEqual(rule.weights.tolist(), want, (method, k))
                if k == 3:
                    rule = pickle.loads(pickle.dumps(rule))
                if k == 5:
                    state = json.loads(json.dumps(rule.state_dict()))
                    rule = pp.Weighting(method)
                    rule.load_state_dict(state)

    def test_kinds(self):
        want = pp.Weighting("mgda")(G)
        wide = np.zeros((6, 6))
        wide[::2, ::2] = G
        for x in (G.astype(">f8"), np.asfortranarray(G), wide[::2, ::2], G.tolist()):
            self.assertEqual(pp.Weighting("mgda")(x).tolist(), want.tolist())
        before = G.copy()
        pp.Weighting("upgrad")(before)
        self.assertTrue((before == G).all())
        for dtype in (np.float32, np.float16, np.longdouble):
            self.assertEqual(pp.Weighting("mgda")(G.astype(dtype)).dtype, dtype)
        self.assertEqual(pp.Weighting("mgda")(np.eye(2, dtype=int)).tolist(), [0.5, 0.5])
        rule = pp.Weighting("mgda")
        first = rule(G)
        for x in (np.eye(4), np.eye(1000), [[2.0]]):  # a rule without memory accepts any shape
            self.assertTrue(np.allclose(rule(x), 1 / len(x)))
        self.assertEqual(first.tolist(), want.tolist(), "a later call changed an earlier answer")
        for rows in (np.zeros((3, 2)), [[1, 2], [1, 2], [3, 4]], [[1, 2], [-1, -2]], [[1e150, 0], [0, 1e-150]]):
            for method in ("mgda", "upgrad", "cagrad", "nashmtl"):
                out = pp.Weighting(method)
                out(jacobian=rows)
                self.assertTrue(np.isfinite(out.direction).all(), (method, rows))

    def test_parameters(self):
        self.assertEqual(pp.Weighting("cagrad", c=0.0, rescale="none")(G).shape, (3,))
        self.assertEqual(pp.Weighting("ls", weights=[0.2, 0.3, 0.5])(G).tolist(), [0.2, 0.3, 0.5])
        want = told("weigh", "-method", "cagrad", "-set", "c=0.5", given=json.dumps({"gramian": G.tolist()}))
        rule = pp.Weighting("cagrad", c=0.5)
        self.assertEqual((rule(G).tolist(), rule.effective.tolist(), rule.gap), (want["weights"], want["effective"], want["gap"]))

    def test_errors(self):
        for words, call in {
            'unknown method "cagrd"': lambda: pp.Weighting("cagrd"),
            "unknown parameter 'd' of cagrad; available: ": lambda: pp.Weighting("cagrad", d=1),
            "c = -1: use": lambda: pp.Weighting("cagrad", c=-1)(G),
            "seed: -1": lambda: pp.Weighting("rlw", seed=-1),
            "losses: si needs losses": lambda: pp.Weighting("si")(G),
            "give a jacobian instead": lambda: pp.Weighting("graddrop")(G),
            "it must be square": lambda: pp.Weighting("mgda")(G[:2]),
            "gramian[0, 0] is NaN": lambda: pp.Weighting("mgda")(G * np.nan),
            "jacobian[1, 2] is +Inf": lambda: pp.Weighting("mgda")(jacobian=np.where(np.arange(9).reshape(3, 3) == 5, np.inf, J)),
            "rows have different lengths": lambda: pp.Weighting("mgda")([[1, 2], [3]]),
            "got complex128": lambda: pp.Weighting("mgda")(G + 0j),
            "1001 objectives": lambda: pp.Weighting("mgda")(np.eye(1001)),
            "losses: got 2": lambda: pp.Weighting("mgda")(G, losses=[1, 2]),
            "either a gramian or a jacobian": lambda: pp.Weighting("mgda")(),
            "no gradients have such products": lambda: pp.Weighting("mgda")([[1, 2], [2, 1]]),
            "another method": lambda: pp.Weighting("mgda").load_state_dict(pp.Weighting("moco").state_dict()),
        }.items():
            with self.assertRaisesRegex(ValueError, words.replace("[", r"\[").replace("+", r"\+"), msg=words):
                call()
        rule = pp.Weighting("moco")
        rule(jacobian=J)
        same = copy.deepcopy(rule)
        with self.assertRaisesRegex(ValueError, "but the first call had"):
            rule(jacobian=J[:2])
        self.assertEqual(rule(jacobian=J).tolist(), same(jacobian=J).tolist())

    def test_threads(self):
        """One rule per thread, and one rule shared by all threads, answer each call as if it were the only one."""
        draw, shared = np.random.default_rng(5), pp.Weighting("upgrad")
        inputs = [draw.normal(size=(10 + k % 2, 20)) for k in range(8)]
        want = [pp.Weighting("upgrad")(jacobian=x).tolist() for x in inputs]

        def work(k):
            own = pp.Weighting("upgrad")
            return [rule(jacobian=inputs[k]).tolist() for _ in range(100) for rule in (own, shared)]

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for k, answers in enumerate(pool.map(work, range(8))):
                self.assertEqual(answers, [want[k]] * 200)

    @unittest.skipUnless(hasattr(os, "fork"), "this system has no fork")
    def test_process(self):
        """Signals, child processes and the end of the interpreter work as without the package."""
        done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", PROCESS], capture_output=True, text=True)
        self.assertEqual(done.stdout.split(), ["interrupted", "child", "refused", "0", "spawned", "[0.5,", "0.5]", "terminated"])
        self.assertIn("Fatal Python error: Segmentation fault", done.stderr)
        quiet = subprocess.run([sys.executable, "-c", "import sys, paretoplay as pp; sys.kept = pp.Weighting('mgda')"], capture_output=True)
        self.assertEqual((quiet.returncode, quiet.stdout + quiet.stderr), (0, b""))


PROCESS = """
import ctypes, os, pickle, signal, subprocess, sys, threading
import numpy as np, paretoplay as pp
rule, wide = pp.Weighting("mgda"), np.random.default_rng(0).normal(size=(80, 90))
rule(np.eye(2))
threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    while True:
        pp.Weighting("upgrad")(wide @ wide.T)
except KeyboardInterrupt:
    print("interrupted", flush=True)
child = os.fork()
if child == 0:
    del rule
    print("child", flush=True)
    try:
        pp.Weighting("mgda")
    except RuntimeError as e:
        print("refused" if "spawn" in str(e) else e, flush=True)
    sys.exit(0)
print(os.waitpid(child, 0)[1], flush=True)
told = subprocess.run([sys.executable, "-c", "import pickle, sys; print('spawned', pickle.load(sys.stdin.buffer)([[1, 0], [0, 1]]).tolist())"],
                      input=pickle.dumps(rule), capture_output=True)
print(told.stdout.decode(), flush=True)
signal.signal(signal.SIGTERM, lambda *_: print("terminated", flush=True))
os.kill(os.getpid(), signal.SIGTERM)
ctypes.string_at(0)
"""


class Others(unittest.TestCase):
    def test_transport(self):
        cost, a, b = [[0, 1, 2], [1, 0, 1]], [0.6, 0.4], [0.3, 0.3, 0.4]
        for solver, settings in (("exact", {}), ("sinkhorn", {"eps": 0.1})):
            flags = [f for name, v in settings.items() for f in ("-set", f"{name}={v}")]
            want = told("transport", "-solver", solver, *flags, given=json.dumps({"cost": cost, "a": a, "b": b}))
            plan, facts = pp.transport(cost, a, b, solver=solver, **settings)
            self.assertEqual(plan.tolist(), want.pop("plan"))
            self.assertEqual(facts, want)
        self.assertEqual(pp.transport([[0, 1], [1, 0]])[1]["cost"], 0)
        for problem in (([[1, 2]], [1], [1]), ([[1, 2]], [-1], [1, 1]), ([[np.nan]], [1], [1])):
            with self.assertRaises(ValueError):
                pp.transport(*problem)
        with self.assertRaisesRegex(ValueError, "eps"):
            pp.transport([[1]], eps=1)

    def test_hypervolume(self):
        points = [[1, 3], [2, 2], [3, 1], [9, 9]]
        self.assertEqual(pp.hypervolume(points, [4, 4]), 6)
        volume, parts = pp.hypervolume(np.array(points) * [1, -1], [4, -4], maximise=[2], contributions=True)
        self.assertEqual((volume, parts.tolist()), (6, [1, 1, 1, 0]))
        self.assertEqual(pp.hypervolume([], [1, 1]), 0)
        with self.assertRaises(ValueError):
            pp.hypervolume([[np.nan, 1]], [2, 2])

    def test_replay(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "run.jsonl"
            draw = np.random.default_rng(1)
            rows = draw.normal(size=(60, 3, 5))
            path.write_text("".join(json.dumps({"step": k, "losses": [1, 2, 3], "gramian": (j @ j.T).tolist()}) + "\n" for k, j in enumerate(rows)))
            self.assertEqual(pp.replay(path), told("replay", str(path), "-json", "-"))
            self.assertEqual(pp.replay(path, methods=["upgrad"]), told("replay", str(path), "-method", "upgrad", "-json", "-"))
            with self.assertRaisesRegex(ValueError, "unknown method .cagrd. for logs"):
                pp.replay(path, methods=["cagrd"])


@unittest.skipUnless(importlib.util.find_spec("torch"), "PyTorch is not installed")
class Torch(unittest.TestCase):
    def test_aggregator(self):
        import torch
        for dtype in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
            out = pp.torch.Aggregator("mgda")(torch.tensor(J).to(dtype).requires_grad_())
            self.assertEqual((out.dtype, out.shape, out.requires_grad), (dtype, (3,), False))
        with self.assertRaisesRegex(ValueError, "not torch.complex64"):
            pp.Weighting("mgda")(torch.eye(2, dtype=torch.complex64))
        module = pp.torch.Aggregator("moco")
        module(torch.tensor(J))
        other = pp.torch.Aggregator("moco")
        other.load_state_dict(module.state_dict())
        self.assertEqual(other(torch.tensor(J)).tolist(), module(torch.tensor(J)).tolist())

    def test_backward(self):
        import torch

        torch.manual_seed(0)
        trunk, heads = torch.nn.Linear(4, 3).double(), [torch.nn.Linear(3, 1).double() for _ in range(2)]
        x = torch.randn(8, 4, dtype=torch.float64)
        for exact in (False, True):
            losses = [(h(torch.tanh(trunk(x))) - k).square().mean() for k, h in enumerate(heads)]
            rows = [torch.cat([g.reshape(-1) for g in torch.autograd.grad(f, trunk.parameters(), retain_graph=True)]) for f in losses]
            own = [torch.autograd.grad(f, h.parameters(), retain_graph=True) for f, h in zip(losses, heads)]
            trunk.weight.grad = torch.ones_like(trunk.weight)  # gradients are added to existing ones
            trunk.bias.grad = None
            for h in heads:
                h.zero_grad()
            done = pp.torch.backward(losses, shared=trunk.parameters(), rule=pp.Weighting("mgda"), exact=exact)
            want = torch.stack(rows).T @ pp.Weighting("mgda")(torch.stack(rows) @ torch.stack(rows).T)
            got = torch.cat([(trunk.weight.grad - 1).reshape(-1), trunk.bias.grad])
            self.assertTrue(torch.allclose(got, want, rtol=1e-10, atol=1e-12))
            self.assertTrue(torch.allclose(done.gramian, torch.stack(rows) @ torch.stack(rows).T))
            for h, gradients in zip(heads, own):
                for p, g in zip(h.parameters(), gradients):
                    self.assertTrue(torch.equal(p.grad, g))
        losses = [h(trunk(x)).mean() for h in heads]
        for method in ("graddrop", "moco"):
            pp.torch.backward(losses, shared=trunk.parameters(), rule=pp.Weighting(method), retain_graph=True)
        with self.assertRaisesRegex(ValueError, r"losses\[1\] does not depend on any shared"):
            free = torch.zeros(1, requires_grad=True)
            pp.torch.backward([heads[0](trunk(x)).mean(), free.sum()], shared=trunk.parameters(), rule=pp.Weighting("mgda"))


@unittest.skipUnless(importlib.util.find_spec("jax"), "JAX is not installed")
class Jax(unittest.TestCase):
    def test_jit(self):
        import jax
        import jax.numpy as jnp
        x = jnp.asarray(G, dtype=jnp.float32)
        want = pp.Weighting("mgda")(np.asarray(x))
        for method in ("mgda", "psmgd"):
            rule = pp.Weighting(method)
            self.assertEqual(np.asarray(rule(x)).tolist(), want.tolist())
            self.assertEqual(np.asarray(jax.jit(lambda g, rule=rule: 2 * rule(g))(x)).tolist(), (2 * want).tolist())
        rule = pp.Weighting("mgda")
        self.assertEqual(np.asarray(jax.vmap(rule)(jnp.stack([x, 2 * x]))).tolist(), [want.tolist()] * 2)
        self.assertEqual(np.asarray(jax.jit(rule)(jnp.eye(2, dtype=int))).tolist(), [0.5, 0.5])
        self.assertEqual(np.asarray(jax.grad(lambda g: (rule(g) * jnp.arange(3.0)).sum())(x)).tolist(), np.zeros((3, 3)).tolist())
        crossed = pp.Weighting("modo")(np.asarray(x), cross=np.eye(3))
        self.assertEqual(np.asarray(jax.jit(pp.Weighting("modo").__call__)(x, cross=jnp.eye(3))).tolist(), crossed.tolist())

    def test_without_memory(self):
        """Rules that jax.jit may call any number of times do not depend on earlier calls."""
        for method in pp.methods():
            if pp._remembers(method["name"]):
                continue
            fresh, used = pp.Weighting(method["name"]), pp.Weighting(method["name"])
            used(jacobian=J + 1, losses=F + 1)
            self.assertEqual(used(jacobian=J, losses=F).tolist(), fresh(jacobian=J, losses=F).tolist(), method["name"])


if __name__ == "__main__":
    unittest.main()
