"""Runs the programs in Python that `paretoplay run -code python` writes, those that ask TorchJD among them, and compares their points with
those of the page's runs. With LIBMTL, a folder with LibMTL's repository, the first directions of its classes are compared too.

    PARETOPLAY=path/of/paretoplay LIBMTL=folder python3 test_programs.py
"""
import contextlib
import csv
import io
import os
import subprocess
import sys
import types
import unittest
import warnings

import numpy as np
import torch

STEPS = 20
# How far the first step and all points may be from the page's, relative to their sizes, where TorchJD decides otherwise than the page to
# more than rounding; None for any distance. Drawn numbers differ. TorchJD adds 1e-4 to the diagonal of what UPGrad and DualProj project
# with, and 1e-7 under ExcessMTL's roots; it solves for Nash-MTL, FairGrad and CAGrad by iterations: fonseca's long steps make small
# differences large.
ROUNDING = 1e-8, 1e-5
APART = {"rlw": (None, None), "graddrop": (None, None), "nashmtl": (None, None), "fairgrad": (1e-6, None), "cagrad": (1e-4, 1e-4),
         "upgrad": (2e-2, 1e-2), "dualproj": (2e-2, 1e-2), "excessmtl": (1e-6, 1e-3)}
# What LibMTL's classes at commit 4336804 are called, and by what their first direction is longer than the page's. Left out are RLW, which
# draws, GradDrop, which wants representations, Aligned_MTL, which does not run with PyTorch 2, and four that decide otherwise: STCH, MoCo,
# SDMGrad (its steps jump between the vertices) and Nash_MTL, whose solver gives up as TorchJD's does.
LIBMTL = {"ls": ("EW", 2), "dwa": ("DWA", 1), "uw": ("UW", np.exp(0.5)), "mgda": ("MGDA", 1), "pcgrad": ("PCGrad", 1), "gls": ("GLS", 1),
          "gradvac": ("GradVac", 1), "cagrad": ("CAGrad", 1), "imtlg": ("IMTL", 1), "gradnorm": ("GradNorm", 1), "famo": ("FAMO", 1),
          "fairgrad": ("FairGrad", 1), "upgrad": ("UPGrad", 1), "excessmtl": ("ExcessMTL", 1), "modo": ("MoDo", 1), "dbmtl": ("DB_MTL", 1)}


def paretoplay(*arguments):
    return subprocess.run([os.environ["PARETOPLAY"], *arguments], capture_output=True, text=True)


def methods(scene):
    """All methods of a scene, as the message about an unknown one lists them."""
    return paretoplay("run", "-scene", scene, "-set", "method=?").stderr.split("at least 1 of ")[1].split()


def run(scene, method, steps, *more):
    sets = [a for s in (f"method={method}", *more) for a in ("-set", s)]
    return "run", "-scene", scene, *sets, "-steps", str(steps)


def page(scene, method, steps, *more):
    """The points of each of the page's runs."""
    said = paretoplay(*run(scene, method, steps, *more), "-csv", "-")
    rows = list(csv.DictReader(io.StringIO(said.stdout)))
    names = dict.fromkeys(r["run"] for r in rows)
    return [np.array([[float(r["x1"]), float(r["x2"])] for r in rows if r["run"] == name]) for name in names]


def carry_out(text, *words):
    """What a program defines, started with these words."""
    space, argv = {}, sys.argv
    sys.argv = ["program.py", *words]
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            exec(compile(text, "program.py", "exec"), space)
    finally:
        sys.argv = argv
    return space


class Programs(unittest.TestCase):
    def compare(self, scene, method, *more):
        """Whether there is a program, and whether its points are the page's: by its own rule, where it has one, and by TorchJD's."""
        written = paretoplay(*run(scene, method, STEPS, *more), "-code", "python", "-o", "-")
        if written.returncode:
            self.assertIn("There is no short Python program", written.stderr)
            return False
        want = page(scene, method, STEPS, *more)
        own = "import sys" in written.stdout
        for words in ((), ("torchjd",)) if own else ((),):
            space = carry_out(written.stdout, *words)
            step, points = ROUNDING if own and not words else APART.get(method, ROUNDING)
            self.assertEqual(len(space["paths"]), len(want))
            for got, path in zip(space["paths"], want):
                got = np.array(got)
                self.assertEqual(got.shape, path.shape)
                first = np.linalg.norm(got[1] - path[1]) / np.linalg.norm(path[1] - path[0])
                with self.subTest(scene=scene, method=method, more=more, words=words):
                    if step is not None:
                        self.assertLess(first, step)
                    if points is not None:
                        self.assertLess(abs(got - path).max() / max(1, abs(path).max()), points)
                    self.assertTrue(np.isfinite(got).all())
        return True

    def test_every_method(self):
        """Without a program are those alone that neither the templates nor TorchJD have."""
        for scene in "fonseca", "yours":
            without = [m for m in methods(scene) if not self.compare(scene, m)]
            self.assertEqual(without, ["si", "moco", "epo", "epsilon", "dbmtl", "gradnorm", "moosvgd"])

    def test_nash(self):
        """Nash-MTL's first step is the page's or, where TorchJD's solver gives up, the plain sum: both are seen."""
        space = carry_out(paretoplay(*run("fonseca", "nashmtl", 1), "-code", "python", "-o", "-").stdout)
        sums = 0
        for got, want in zip(space["paths"], page("fonseca", "nashmtl", 1)):
            total = space["ETA"] * space["gradients"](got[0]).sum(0)
            given_up = np.allclose(got[0] - got[1], total)
            sums += given_up
            self.assertLess(0 if given_up else np.linalg.norm(got[1] - want[1]) / np.linalg.norm(want[1] - want[0]), 1e-3)
        self.assertIn(sums, range(1, len(space["paths"])))

    def test_settings(self):
        """Settings that TorchJD spells otherwise, and rules that are told the toy problem's lower bounds."""
        for method in "famo", "stch", "cagrad":
            self.assertTrue(self.compare("toy", method))
        for method, more in {"cagrad": "cagrad.rescale=none", "pcgrad": "pcgrad.reduction=mean", "mgda": "mgda.normalize=l2",
                             "upgrad": "upgrad.regularization=0.01", "alignedmtl": "alignedmtl.scale=sum", "gradvac": "gradvac.beta=0.01",
                             "stch": "stch.preference=0.3", "modo": "modo.gamma=0.3", "excessmtl": "excessmtl.gamma=0.3",
                             "dwa": "dwa.temperature=0.5", "uw": "uw.lr=0.3", "famo": "famo.lr=0.3", "sdmgrad": "sdmgrad.kappa=1",
                             "fairgrad": "fairgrad.alpha=1"}.items():
            self.assertTrue(self.compare("fonseca", method, more))
        self.assertTrue(self.compare("fonseca", "psmgd", "psmgd.weighting=alignedmtl", "R=3", "momentum=0.5"))


@unittest.skipUnless(os.environ.get("LIBMTL"), "LIBMTL names no folder with LibMTL's repository")
class LibMTL(unittest.TestCase):
    def test_first_directions(self):
        package = types.ModuleType("LibMTL")  # without what the package itself imports
        package.__path__ = [os.path.join(os.environ["LIBMTL"], "LibMTL")]
        sys.modules["LibMTL"] = package
        from LibMTL import weighting
        problem = carry_out(paretoplay(*run("fonseca", "mgda", 1), "-code", "python", "-o", "-").stdout)
        for method, (name, times) in LIBMTL.items():
            for start, path in enumerate(page("fonseca", method, 1, "cagrad.c=0.5", "ls.weights=equal")):
                want = times * (path[0] - path[1]) / problem["ETA"]
                got = libmtl(getattr(weighting, name), problem["gradients"](path[0]), problem["values"](path[0]))
                with self.subTest(method=method, start=start):
                    # Its numbers have 32 bits; UPGrad adds 1e-4, CAGrad's solver stops early.
                    near = {"upgrad": 2e-2, "cagrad": 2e-3}.get(method, 1e-4)
                    self.assertLess(np.linalg.norm(got - want) / np.linalg.norm(want), near)


def libmtl(rule, gradients, losses):
    """The first direction of a class of LibMTL, in a model whose only shared parameter has these gradients and losses."""
    shared = torch.nn.Parameter(torch.zeros(2))
    gradients, losses = torch.tensor(gradients, dtype=torch.float32), torch.tensor(losses, dtype=torch.float32)

    class Model(rule):
        def get_share_params(self):
            return [shared]

        def zero_grad_share_params(self):
            shared.grad = torch.zeros(2)
    model = Model()
    model.task_num, model.task_name, model.device, model.rep_grad, model.epoch = 2, ["1", "2"], torch.device("cpu"), False, 0
    model.train_loss_buffer, model.decoders, model.encoder = np.zeros([2, 9]), {}, torch.nn.Module()
    model.encoder.shared = shared
    model.init_param()
    batches = [losses + gradients @ shared for _ in range(3)]
    model.backward(batches if rule.__name__ == "MoDo" else batches[0], calpha=0.5, rescale=1, GradVac_beta=0.5, GradVac_group_type=0, T=2.0,
                   mgda_gn="none", FairGrad_alpha=2.0, FAMO_w_lr=0.025, FAMO_w_gamma=1e-3, UPGrad_norm_eps=1e-4, UPGrad_reg_eps=1e-4,
                   DB_beta=0.9, DB_beta_sigma=0, robust_step_size=1e-2, MoDo_gamma=0.1, MoDo_rho=0, alpha=1.5)
    return shared.grad.double().numpy()


if __name__ == "__main__":
    unittest.main()
