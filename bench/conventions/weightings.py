"""Writes the results of TorchJD and LibMTL for small inputs, weighting by weighting: python weightings.py FILE

LIBMTL names a folder with LibMTL's repository. TorchJD computes in float64, LibMTL in float32. A row has our name of the method, the
settings of `paretoplay weigh` for the comparison, the call, the input, and the direction or the exception.
"""

import contextlib
import io
import json
import os
import random
import sys
import types
import warnings
from importlib.metadata import version

import numpy as np
import torch
from torchjd import aggregation, scalarization

warnings.simplefilter("ignore")  # cvxpy warns at every solution

INPUTS = {
    "J1": [[1, 0], [-1, 1]],  # in conflict
    "J2": [[2, 0], [0, 1]],  # at right angles
    "J3": [[1, 0], [0, 1], [1, 1]],  # dependent
    "J4": [[1, 0.2], [-0.5, 100]],  # lengths apart
    "J5": [[3, 0], [-1, 1]],  # they conflict with their mean
    "J6": [[0.003, 0], [-0.001, 0.001]],  # short
}
SHORT = [("torchjd", "cagrad"), ("torchjd", "upgrad"), ("torchjd", "dualproj"), ("libmtl", "upgrad")]  # J6 is for these only
LOSSES = [2, 0.5, 1]
AFTER = [1.5, 0.45, 1]  # for FAMO, which learns from the effect of its step
SEQUENCE = ["J1", "J2", "J1"]  # for rules with memory
TORCH, LIB = "torchjd", "libmtl"


def torchjd_rules():
    """Our method, its settings, the call as text, the function that makes it for S rows, and whether it has memory."""
    a, s = aggregation, scalarization
    yield "ls", {}, "Mean()", lambda n: a.Mean(), False
    yield "rlw", {}, "Random()", lambda n: a.Random(), False
    yield "dwa", {}, "DWA()", lambda n: s.DWA(), False
    yield "uw", {}, "UW(S)", lambda n: s.UW(n).double(), False
    yield "mgda", {}, "MGDA()", lambda n: a.MGDA(), False
    yield "crmogm", {}, "CRMOGMWeighting(MGDAWeighting())", lambda n: a.CRMOGMWeighting(a.MGDAWeighting()), True
    yield "pcgrad", {}, "PCGrad()", lambda n: a.PCGrad(), False
    yield "gradvac", {}, "GradVac()", lambda n: a.GradVac(), True
    yield "graddrop", {}, "GradDrop()", lambda n: a.GradDrop(), False
    yield "cagrad", {"c": "0.5"}, "CAGrad(c=0.5)", lambda n: a.CAGrad(c=0.5), False
    yield "imtlg", {}, "IMTLG()", lambda n: a.IMTLG(), False
    yield "nashmtl", {}, "NashMTL(S)", lambda n: a.NashMTL(n), False
    yield "nashmtl", {"maxnorm": "0"}, "NashMTL(S, max_norm=0)", lambda n: a.NashMTL(n, max_norm=0), False
    yield "famo", {}, "FAMO(S)", lambda n: s.FAMO(n).double(), True
    yield "fairgrad", {"alpha": "1"}, "FairGrad(alpha=1)", lambda n: a.FairGrad(alpha=1), False
    yield "fairgrad", {"alpha": "2"}, "FairGrad(alpha=2)", lambda n: a.FairGrad(alpha=2), False
    yield "sdmgrad", {}, "SDMGradWeighting()", lambda n: a.SDMGradWeighting(), False
    yield "sdmgrad", {}, "SDMGradWeighting(lr=1, n_iter=1000)", lambda n: a.SDMGradWeighting(lr=1, n_iter=1000), False
    yield "modo", {}, "MoDoWeighting()", lambda n: a.MoDoWeighting(), True
    yield "upgrad", {}, "UPGrad()", lambda n: a.UPGrad(), False
    yield "alignedmtl", {}, "AlignedMTL()", lambda n: a.AlignedMTL(), False
    yield "config", {}, "ConFIG()", lambda n: a.ConFIG(), False
    yield "dualproj", {}, "DualProj()", lambda n: a.DualProj(), False
    yield "gls", {}, "GeometricMean()", lambda n: s.GeometricMean(), False
    yield "stch", {"mu": "0.5"}, "STCH(mu=0.5)", lambda n: s.STCH(mu=0.5), False
    yield "excessmtl", {}, "ExcessMTL()", lambda n: a.ExcessMTL(), True


def torchjd_direction(rule, jacobian, losses):
    """The direction of a rule of TorchJD, which may have memory."""
    if isinstance(rule, aggregation.Aggregator):
        return rule(jacobian)
    if isinstance(rule, aggregation.Weighting):
        return rule(jacobian @ jacobian.T) @ jacobian
    values = losses.clone().requires_grad_()
    rule(values).backward()
    if isinstance(rule, scalarization.FAMO):
        rule.update(torch.tensor(AFTER[: len(losses)], dtype=torch.float64))
    return values.grad @ jacobian


# What LibMTL/config.py sets.
DEFAULTS = dict(
    T=2.0, mgda_gn="none", GradVac_beta=0.5, GradVac_group_type=0, alpha=1.5, leak=0.0, calpha=0.5, rescale=1, update_weights_every=1,
    optim_niter=20, max_norm=1.0, MoCo_beta=0.5, MoCo_beta_sigma=0.5, MoCo_gamma=0.1, MoCo_gamma_sigma=0.5, MoCo_rho=0, DB_beta=0.9,
    DB_beta_sigma=0, STCH_mu=1.0, STCH_warmup_epoch=4, robust_step_size=1e-2, FairGrad_alpha=1.0, FAMO_w_lr=0.025, FAMO_w_gamma=1e-3,
    MoDo_gamma=1e-3, MoDo_rho=0.1, SDMGrad_lamda=0.3, SDMGrad_niter=20, UPGrad_norm_eps=1e-4, UPGrad_reg_eps=1e-4,
)  # fmt: skip

LIBMTL_RULES = [
    ("ls", {}, "EW", {}, False),
    ("rlw", {}, "RLW", {}, False),
    ("dwa", {}, "DWA", {}, False),
    ("uw", {}, "UW", {}, False),
    ("mgda", {}, "MGDA", {}, False),
    ("mgda", {"normalize": "l2"}, "MGDA", {"mgda_gn": "l2"}, False),
    ("mgda", {"normalize": "loss"}, "MGDA", {"mgda_gn": "loss"}, False),
    ("mgda", {"normalize": "loss+"}, "MGDA", {"mgda_gn": "loss+"}, False),
    ("pcgrad", {}, "PCGrad", {}, False),
    ("gradvac", {}, "GradVac", {}, True),
    ("cagrad", {}, "CAGrad", {}, False),
    ("imtlg", {}, "IMTL", {}, False),
    ("nashmtl", {}, "Nash_MTL", {}, False),
    ("nashmtl", {"maxnorm": "0"}, "Nash_MTL", {"max_norm": 0}, False),
    ("famo", {}, "FAMO", {}, True),
    ("fairgrad", {}, "FairGrad", {}, False),
    ("sdmgrad", {}, "SDMGrad", {}, False),
    ("moco", {}, "MoCo", {}, True),
    ("modo", {}, "MoDo", {}, True),
    ("upgrad", {}, "UPGrad", {}, False),
    ("alignedmtl", {}, "Aligned_MTL", {}, False),
    ("gls", {}, "GLS", {}, False),
    ("stch", {}, "STCH", {}, False),
    ("dbmtl", {}, "DB_MTL", {}, True),
    ("gradnorm", {}, "GradNorm", {}, False),
    ("excessmtl", {}, "ExcessMTL", {}, True),
]


def libmtl_rule(name, n):
    """A class of LibMTL in a model whose only shared parameter has two numbers."""
    from LibMTL import weighting

    parameter = torch.nn.Parameter(torch.zeros(2))

    class Model(getattr(weighting, name)):
        def get_share_params(self):
            return [parameter]

        def zero_grad_share_params(self):
            if parameter.grad is not None:
                parameter.grad.zero_()

    model = Model()
    model.task_num, model.device, model.rep_grad, model.epoch = n, torch.device("cpu"), False, 0
    model.task_name, model.train_loss_buffer, model.decoders = [str(i) for i in range(n)], np.zeros([n, 9]), {}
    model.encoder = torch.nn.Module()
    model.encoder.register_parameter("p", parameter)
    model.init_param()
    return model, parameter


def libmtl_direction(rule, name, kwargs, jacobian, losses):
    model, parameter = rule
    parameter.grad = torch.zeros(2)

    def computed():
        return losses.float() + jacobian.float() @ parameter

    batches = [computed() for _ in range(3)] if name in ("SDMGrad", "MoDo") else computed()
    with contextlib.redirect_stdout(io.StringIO()):
        model.backward(batches, **{**DEFAULTS, **kwargs})
    out = parameter.grad.clone()
    if name == "FAMO":
        model.update_w(torch.tensor(AFTER[: len(losses)]))
    return out


def numbers(direction):
    """The shortest decimals of a direction in its precision."""
    return [float(str(v)) for v in direction.detach().numpy()]


def rows():
    def row(library, method, settings, call, name, ask, **more):
        torch.manual_seed(1)
        random.seed(1)
        out = dict(library=library, method=method, settings=settings, call=call, input=name, **more)
        try:
            return {**out, "direction": numbers(ask())}
        except (RuntimeError, ValueError, AttributeError) as e:
            return {**out, "error": f"{type(e).__name__}: {str(e).splitlines()[0][:100]}"}

    def given(name):
        jacobian = torch.tensor(INPUTS[name], dtype=torch.float64)
        return jacobian, torch.tensor(LOSSES[: len(jacobian)], dtype=torch.float64)

    def inputs(library, method):
        return [name for name in INPUTS if name != "J6" or (library, method) in SHORT]

    def last(ask):
        for name in SEQUENCE:
            out = ask(*given(name))
        return out

    for method, settings, call, make, remembers in torchjd_rules():
        for name in inputs(TORCH, method):
            yield row(TORCH, method, settings, call, name, lambda: torchjd_direction(make(len(INPUTS[name])), *given(name)))
        if remembers:
            rule = make(2)
            yield row(TORCH, method, settings, call, " ".join(SEQUENCE), lambda: last(lambda j, f: torchjd_direction(rule, j, f)))
    for method, settings, name, kwargs, remembers in LIBMTL_RULES:
        call = name + "(" + ", ".join(f"{k}={v!r}" for k, v in kwargs.items()) + ")"
        for key in inputs(LIB, method):
            make = lambda: libmtl_rule(name, len(INPUTS[key]))
            yield row(LIB, method, settings, call, key, lambda: libmtl_direction(make(), name, kwargs, *given(key)))
        if remembers:
            rule = libmtl_rule(name, 2)
            yield row(LIB, method, settings, call, " ".join(SEQUENCE), lambda: last(lambda j, f: libmtl_direction(rule, name, kwargs, j, f)))

    def warmed_up():
        jacobian, losses = given("J1")
        rule = libmtl_rule("STCH", 2)
        for epoch, values in ((4, torch.tensor(AFTER[:2], dtype=torch.float64)), (5, losses)):
            rule[0].epoch = epoch
            out = libmtl_direction(rule, "STCH", {}, jacobian, values)
        return out

    yield row(LIB, "stch", {}, "STCH(), the first step in epoch 4, the second in epoch 5", "J1 J1", warmed_up, losses=[AFTER, LOSSES])


def main():
    assert version("torchjd") == "0.18.0", version("torchjd")
    package = types.ModuleType("LibMTL")  # without the imports of the package itself
    package.__path__ = [os.path.join(os.environ["LIBMTL"], "LibMTL")]
    sys.modules["LibMTL"] = package
    import cvxpy

    assert "ECOS" in cvxpy.installed_solvers()  # without it Nash-MTL's weights are 1
    pins = ["torchjd", "torch", "cvxpy", "clarabel", "ecos", "quadprog", "scipy", "numpy"]
    head = dict(
        torchjd=version("torchjd"), libmtl="commit 4336804", versions={p: version(p) for p in pins}, inputs=INPUTS, losses=LOSSES, after=AFTER
    )
    with open(sys.argv[1], "w") as f:
        f.write(json.dumps(head, ensure_ascii=False)[:-1] + ', "rows": [\n')
        f.write(",\n".join(json.dumps(r, ensure_ascii=False) for r in rows()))
        f.write("\n]}\n")


main()
