"""What holds for the package. PARETOPLAY names the program, beside which decisions are compared bit for bit."""

import copy
import importlib.util
import json
import os
import pathlib
import pickle
import subprocess
import tempfile
import threading
import unittest

import numpy as np

import paretoplay as pp

PROGRAM = os.environ["PARETOPLAY"]
J = np.array([[1.0, 0.0, 2.0], [-1.0, 1.0, 0.0], [0.5, -2.0, 1.0]])
G = J @ J.T
F = np.array([1.0, 2.0, 3.0])


def told(*arguments, given=""):
    """What the program prints, as JSON."""
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
        """Rules that remember decide as weigh -stream does, also after their state was taken up elsewhere."""
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
        rule(np.eye(3))
        self.assertEqual(first.tolist(), want.tolist(), "a later call has changed an earlier answer")

    def test_parameters(self):
        self.assertEqual(pp.Weighting("cagrad", c=0.0, rescale="none")(G).shape, (3,))
        self.assertEqual(pp.Weighting("ls", weights=[0.2, 0.3, 0.5])(G).tolist(), [0.2, 0.3, 0.5])
        want = told("weigh", "-method", "cagrad", "-set", "c=0.5", given=json.dumps({"gramian": G.tolist()}))
        rule = pp.Weighting("cagrad", c=0.5)
        self.assertEqual((rule(G).tolist(), rule.effective.tolist(), rule.gap), (want["weights"], want["effective"], want["gap"]))

    def test_errors(self):
        for words, call in {
            '"cagrd" is no method': lambda: pp.Weighting("cagrd"),
            "d is no parameter of cagrad": lambda: pp.Weighting("cagrad", d=1),
            "c = -1: allowed": lambda: pp.Weighting("cagrad", c=-1)(G),
            "seed: -1": lambda: pp.Weighting("rlw", seed=-1),
            "losses: si needs them": lambda: pp.Weighting("si")(G),
            "give it a jacobian": lambda: pp.Weighting("graddrop")(G),
            "a square is expected": lambda: pp.Weighting("mgda")(G[:2]),
            "gramian[0, 0] is NaN": lambda: pp.Weighting("mgda")(G * np.nan),
            "jacobian[1, 2] is +Inf": lambda: pp.Weighting("mgda")(jacobian=np.where(np.arange(9).reshape(3, 3) == 5, np.inf, J)),
            "rows of different lengths": lambda: pp.Weighting("mgda")([[1, 2], [3]]),
            "not complex128": lambda: pp.Weighting("mgda")(G + 0j),
            "not 1 dimensions": lambda: pp.Weighting("mgda")(F),
            "no numbers": lambda: pp.Weighting("mgda")(jacobian=np.zeros((2, 0))),
            "losses: there are 2": lambda: pp.Weighting("mgda")(G, losses=[1, 2]),
            "either a gramian or a jacobian": lambda: pp.Weighting("mgda")(),
            "no gradients have such products": lambda: pp.Weighting("mgda")([[1, 2], [2, 1]]),
            "another method": lambda: pp.Weighting("mgda").load_state_dict(pp.Weighting("moco").state_dict()),
            "losses after a step": lambda: pp.Weighting("famo").observe(F, F),
        }.items():
            with self.assertRaisesRegex(ValueError, words.replace("[", r"\[").replace("+", r"\+"), msg=words):
                call()
        rule = pp.Weighting("moco")
        rule(jacobian=J)
        same = copy.deepcopy(rule)
        with self.assertRaisesRegex(ValueError, "in the first call"):
            rule(jacobian=J[:2])
        self.assertEqual(rule(jacobian=J).tolist(), same(jacobian=J).tolist())

    def test_threads(self):
        draw = np.random.default_rng(5)
        inputs = [draw.normal(size=(12, 20)) for _ in range(8)]
        want = [pp.Weighting("upgrad")(jacobian=x).tolist() for x in inputs]
        got = [[] for _ in inputs]

        def work(k):
            rule = pp.Weighting("upgrad")
            for _ in range(50):
                got[k].append(rule(jacobian=inputs[k]).tolist())

        threads = [threading.Thread(target=work, args=(k,)) for k in range(len(inputs))]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        for k, answers in enumerate(got):
            self.assertEqual(answers, [want[k]] * 50)

    @unittest.skipUnless(hasattr(os, "fork"), "this system has no fork")
    def test_fork(self):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                pp.Weighting("mgda")(G)
                said = "it decides"
            except RuntimeError as e:
                said = str(e)
            os.write(write, said.encode())
            os._exit(0)
        os.waitpid(child, 0)
        self.assertIn("spawn", os.read(read, 1000).decode())
        self.assertEqual(pp.Weighting("mgda")(G).shape, (3,))


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
        for words, call in {
            "2 columns": lambda: pp.transport([[1, 2]], [1], [1]),
            "not negative": lambda: pp.transport([[1, 2]], [-1], [1, 1]),
            "no solver": lambda: pp.transport([[1]], [1], [1], solver="x"),
            "eps": lambda: pp.transport([[1]], [1], [1], eps=1),
        }.items():
            with self.assertRaisesRegex(ValueError, words):
                call()

    def test_hypervolume(self):
        points = [[1, 3], [2, 2], [3, 1], [9, 9]]
        self.assertEqual(pp.hypervolume(points, [4, 4]), 6)
        volume, parts = pp.hypervolume(np.array(points) * [1, -1], [4, -4], maximise=[2], contributions=True)
        self.assertEqual((volume, parts.tolist()), (6, [1, 1, 1, 0]))
        self.assertEqual(pp.hypervolume([], [1, 1]), 0)
        for points, reference in (([[1, 2]], [1]), ([[np.nan, 1]], [2, 2]), ([[1, 1]], [np.inf, 2])):
            with self.assertRaises(ValueError):
                pp.hypervolume(points, reference)

    def test_replay(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "run.jsonl"
            draw = np.random.default_rng(1)
            rows = draw.normal(size=(60, 3, 5))
            path.write_text("".join(json.dumps({"step": k, "losses": [1, 2, 3], "gramian": (j @ j.T).tolist()}) + "\n" for k, j in enumerate(rows)))
            self.assertEqual(pp.replay(path), told("replay", str(path), "-json", "-"))
            self.assertEqual(pp.replay(path, methods=["upgrad"]), told("replay", str(path), "-method", "upgrad", "-json", "-"))
            with self.assertRaisesRegex(ValueError, "no method of a log"):
                pp.replay(path, methods=["cagrd"])
        with self.assertRaises(ValueError):
            pp.replay("there-is-no-such-file.npz")

    def test_methods(self):
        names = [m["name"] for m in pp.methods()]
        self.assertIn("crmogm", names)
        self.assertEqual(len(names), len(set(names)))


@unittest.skipUnless(importlib.util.find_spec("torch"), "PyTorch is not installed")
class Torch(unittest.TestCase):
    def test_aggregator(self):
        import torch

        from paretoplay.torch import Aggregator

        for dtype in (torch.float64, torch.float32, torch.bfloat16):
            out = Aggregator("mgda")(torch.tensor(J).to(dtype))
            self.assertEqual((out.dtype, out.shape), (dtype, (3,)))
        module = Aggregator("moco")
        module(torch.tensor(J))
        other = Aggregator("moco")
        other.load_state_dict(module.state_dict())
        self.assertEqual(other(torch.tensor(J)).tolist(), module(torch.tensor(J)).tolist())

    def test_backward(self):
        import torch

        from paretoplay.torch import backward

        torch.manual_seed(0)
        trunk, heads = torch.nn.Linear(4, 3).double(), [torch.nn.Linear(3, 1).double() for _ in range(2)]
        x = torch.randn(8, 4, dtype=torch.float64)
        for exact in (False, True):
            losses = [(h(torch.tanh(trunk(x))) - k).square().mean() for k, h in enumerate(heads)]
            rows = [torch.cat([g.reshape(-1) for g in torch.autograd.grad(f, trunk.parameters(), retain_graph=True)]) for f in losses]
            own = [torch.autograd.grad(f, h.parameters(), retain_graph=True) for f, h in zip(losses, heads)]
            trunk.weight.grad = torch.ones_like(trunk.weight)  # what is there is added to
            trunk.bias.grad = None
            for h in heads:
                h.zero_grad()
            done = backward(losses, shared=trunk.parameters(), rule=pp.Weighting("mgda"), exact=exact)
            want = torch.stack(rows).T @ pp.Weighting("mgda")(torch.stack(rows) @ torch.stack(rows).T)
            got = torch.cat([(trunk.weight.grad - 1).reshape(-1), trunk.bias.grad])
            self.assertTrue(torch.allclose(got, want, rtol=1e-10, atol=1e-12))
            self.assertTrue(torch.allclose(done.gramian, torch.stack(rows) @ torch.stack(rows).T))
            for h, gradients in zip(heads, own):
                for p, g in zip(h.parameters(), gradients):
                    self.assertTrue(torch.equal(p.grad, g))
        losses = [h(trunk(x)).mean() for h in heads]
        backward(losses, shared=trunk.parameters(), rule=pp.Weighting("graddrop"))
        with self.assertRaisesRegex(ValueError, r"losses\[1\] depends on no shared"):
            free = torch.zeros(1, requires_grad=True)
            backward([heads[0](trunk(x)).mean(), free.sum()], shared=trunk.parameters(), rule=pp.Weighting("mgda"))


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

    def test_without_memory(self):
        """Rules that jax.jit may call as often as it likes decide without regard to earlier calls."""
        for method in pp.methods():
            if pp._remembers(method["name"]):
                continue
            fresh, used = pp.Weighting(method["name"]), pp.Weighting(method["name"])
            for k in range(3):
                used(jacobian=J + k, losses=F + k)
            self.assertEqual(used(jacobian=J, losses=F).tolist(), fresh(jacobian=J, losses=F).tolist(), method["name"])


if __name__ == "__main__":
    unittest.main()
