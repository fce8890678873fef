"""Tries ways to weigh losses, for a share of the steps, from where a training stands.

    trial = ParetoTrial(model, optimizer, shared=trunk, also=[scheduler])
    found = trial(lambda batch: compute(model, batch), batches, lambda: validation_losses(model),
                  ways={"equal": "equal", "scaled": [0.2, 1.8], "cagrad": "cagrad", "upgrad": "upgrad"}, log=log)
    print(found)

`batches` are the same for every way, and every way starts from the same numbers: the parameters, buffers, gradients
and the optimizer's state, whatever `also` names, and the generators of torch, numpy and Python are copied before the
first way and put back after each, bit for bit. What the training is afterwards is what it was.

A trial is a forecast, and can be wrong: docs/runlog.md says how often it was. Needs PyTorch, 1.13 or later, numpy and scipy.
"""
import copy
import math
import os
import random

import numpy
import torch
from scipy.optimize import brentq, nnls


# The rules take the Gramian (S, S) of the gradients and a generator of numpy, and return the weights (S,) of a direction
# that is as long as the sum of the gradients is: where a method is defined by a mean, its weights are S times as large.


def root(gramian):
    """Rows with this Gramian, in units of their mean length."""
    values, vectors = numpy.linalg.eigh(gramian)
    return (vectors * numpy.sqrt(numpy.maximum(values, 0) / max(values.sum() / len(values), 1e-300)))


def equal(gramian, draw):
    return numpy.ones(len(gramian))


def mgda(gramian, draw):
    """The shortest vector in the hull: the least of |sum m_i g_i|^2 + (sum m_i - 1)^2 over m >= 0, made to sum S."""
    count = len(gramian)
    m, _ = nnls(numpy.vstack([10 * root(gramian).T, numpy.ones(count)]), numpy.append(numpy.zeros(count), 1))
    return count * m / m.sum()


def upgrad(gramian, draw):
    """The mean of the gradients' projections onto the cone of directions that hurt nobody (Quinton & Rey 2024)."""
    rows = root(gramian)
    return sum(one + nnls(rows.T, -rows.T @ one)[0] for one in numpy.eye(len(gramian)))


def cagrad(gramian, draw, c=0.4):
    """The mean gradient, moved by c of its length to where the least rate is largest (Liu et al. 2021): along g_w, which
    makes g_w.g_0 + c|g_0||g_w| least over w >= 0 of sum 1. That is least over s > 0, too, of g_w.g_0 + |g_w|^2/2s + (c|g_0|)^2 s/2,
    and for each s g_w + s g_0 is the shortest vector in a hull."""
    rows, count = root(gramian), len(gramian)
    mean = rows.mean(0)
    radius = c * numpy.linalg.norm(mean)

    def shortest(s):
        shifted = rows + s * mean
        w = mgda(shifted @ shifted.T, draw) / count
        return w, numpy.linalg.norm(w @ rows)
    # |g_w| = s c|g_0| at the least; where that is 0, so is g_w.
    longest = numpy.linalg.norm(rows, axis=1).max()
    if radius <= 1e-12 * longest:
        return numpy.ones(count) / (1 + c * c)
    low, high = 1e-9 * longest / radius, 2 * longest / radius
    if shortest(low)[1] <= low * radius:
        return numpy.ones(count) / (1 + c * c)
    w, length = shortest(brentq(lambda s: shortest(s)[1] - s * radius, low, high, xtol=1e-12 * high, rtol=1e-12))
    return (1 + count * radius * w / length) / (1 + c * c)


def pcgrad(gramian, draw):
    """Each gradient without what points against the others, in a random order (Yu et al. 2020), summed."""
    total = numpy.zeros(len(gramian))
    for i in range(len(gramian)):
        w = numpy.zeros(len(gramian))
        w[i] = 1
        for j in draw.permutation(len(gramian)):
            product = gramian[j] @ w
            if j != i and product < 0 and gramian[j, j] > 0:
                w[j] -= product / gramian[j, j]
        total += w
    return total


def nashmtl(gramian, draw):
    """a > 0 with C a = 1/a (Navon et al. 2022), by Newton on a'Ca/2 - sum log a; as long as 1 at most, times S."""
    count = len(gramian)
    scale = numpy.sqrt(numpy.maximum(numpy.diag(gramian), 1e-300))
    unit = gramian / numpy.outer(scale, scale) + 1e-9 * numpy.eye(count)
    a = numpy.ones(count)
    for _ in range(60):
        slope, bend = unit @ a - 1 / a, unit + numpy.diag(1 / a ** 2)
        step = numpy.linalg.solve(bend, slope)
        size = numpy.sqrt(max(slope @ step, 0))
        a = a - step / (1 + size)
        if size < 1e-9:
            break
    a = a / scale
    length = numpy.sqrt(max(a @ gramian @ a, 0))
    return count * a / max(length, 1)


rules = {f.__name__: f for f in (equal, mgda, cagrad, upgrad, pcgrad, nashmtl)}


def combine(losses, weights, shared, own=(), scale=1):
    """Puts into .grad the weighted sum of the losses' gradients of `shared`, and of `own` the sum's without weights: a head
    is one loss's own and follows it. weights: S numbers, or a function of the Gramian that returns them; then every loss
    needs a backward pass. scale: what the losses were multiplied by. Returns the weights, None where a gradient is not finite."""
    shared, own = list(shared), list(own)
    if not callable(weights):
        torch.autograd.backward(sum(float(w) * loss for w, loss in zip(weights, losses)), inputs=shared, retain_graph=bool(own))
        if own:
            torch.autograd.backward(sum(losses), inputs=own)
        return weights
    rows = []
    for k, loss in enumerate(losses):
        parts = torch.autograd.grad(loss, shared + own, retain_graph=k + 1 < len(losses), allow_unused=True)
        rows.append(torch.cat([(torch.zeros_like(p) if g is None else g).reshape(-1) for g, p in zip(parts, shared)]))
        for p, g in zip(own, parts[len(shared):]):
            if g is not None:
                p.grad = g if p.grad is None else p.grad + g
    rows = torch.stack(rows)
    exact = rows.double() / scale
    gramian = (exact @ exact.T).cpu().numpy()
    finite = bool(numpy.isfinite(gramian).all())
    weights = numpy.asarray(weights(gramian), float) if finite else numpy.ones(len(rows))
    direction = torch.as_tensor(weights, dtype=rows.dtype, device=rows.device) @ rows
    for p, g in zip(shared, direction.split([p.numel() for p in shared])):
        p.grad = g.view_as(p).clone()  # with what is not finite in it, where there is some: a GradScaler looks for it
    return weights if finite else None


class Kept:
    """The state of a training, to the last bit."""

    def __init__(self, model, optimizer, also=()):
        self.model, self.optimizer, self.also = model, optimizer, list(also)
        tensors = {id(p): p for group in optimizer.param_groups for p in group["params"]}
        tensors.update((id(p), p) for p in model.parameters())
        self.parameters = [(p, p.detach().clone(), p.requires_grad, None if p.grad is None else p.grad.clone()) for p in tensors.values()]
        self.buffers = [(module, name, b, None if b is None else b.clone()) for module in model.modules() for name, b in module._buffers.items()]
        self.modes = [(module, module.training) for module in model.modules()]
        self.state = copy.deepcopy(optimizer.state_dict())
        self.more = [_state(one) for one in self.also]
        self.generators = (torch.get_rng_state(), torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else [],
                           numpy.random.get_state(), random.getstate())

    def put_back(self):
        with torch.no_grad():
            for p, value, trained, grad in self.parameters:
                p.copy_(value)
                p.requires_grad_(trained)
                p.grad = None if grad is None else grad.clone()
            for module, name, b, value in self.buffers:
                if b is not None:
                    b.copy_(value)
                module._buffers[name] = b
        for module, training in self.modes:
            module.training = training
        self.optimizer.load_state_dict(copy.deepcopy(self.state))
        for one, state in zip(self.also, self.more):
            _put_state(one, copy.deepcopy(state))
        torch.set_rng_state(self.generators[0])
        if self.generators[1]:
            torch.cuda.set_rng_state_all(self.generators[1])
        numpy.random.set_state(self.generators[2])
        random.setstate(self.generators[3])


def _state(one):
    for name in ("state_dict", "get_state", "getstate"):
        if hasattr(one, name):
            return copy.deepcopy(getattr(one, name)())
    if hasattr(one, "bit_generator"):
        return copy.deepcopy(one.bit_generator.state)
    raise ValueError(f"also: a {type(one).__name__} has no state_dict, get_state or bit_generator to keep")


def _put_state(one, state):
    for name in ("load_state_dict", "set_state", "setstate"):
        if hasattr(one, name):
            return getattr(one, name)(state)
    one.bit_generator.state = state


class Found(list):
    """What became of the ways, the best one first: dicts with name, rule, R, losses, value (the geometric mean over the
    losses of the loss over that of the way `equal`; infinite where it failed), gives_up, backprops and steps. gives_up are
    the numbers of the losses that end 1.2 times as large as with `equal`, or larger: such ways come after the others, since
    what they gain elsewhere may not be worth it."""

    @property
    def chosen(self):
        """The name of the best way if its value is .95 or below, else `equal`: what is closer than that does not last."""
        return self[0]["name"] if self[0]["value"] <= 0.95 and not self[0]["gives_up"] else "equal"

    def __str__(self):
        lines = [f"{'way':16} {'to equal':>8} {'passes':>7}  losses"]
        for way in self:
            failed = "failed" if not math.isfinite(way["value"]) else f"{way['value']:.3f}"
            up = f"  gives up {', '.join(map(str, way['gives_up']))}" if way["gives_up"] else ""
            lines.append(f"{way['name']:16} {failed:>8} {way['backprops']:7}  " + " ".join(f"{v:.4g}" for v in way["losses"]) + up)
        return "\n".join(lines + [f"chosen: {self.chosen}"])


class ParetoTrial:
    """model: the module whose parameters, buffers and modes are put back. optimizer: the run's, any but LBFGS. shared: the
    parameters that the losses share; the optimizer's others are heads, each of which follows its own loss. also: whatever
    else a step changes, with state_dict, get_state or bit_generator: schedulers, a GradScaler, averages of the parameters,
    generators. scaler: the run's GradScaler, kept too. step: what follows the gradients in a step, such as clipping,
    optimizer.step() and scheduler.step(); optimizer.step() alone where it is left out."""

    def __init__(self, model, optimizer, shared, also=(), scaler=None, step=None):
        if isinstance(optimizer, torch.optim.LBFGS):
            raise ValueError("LBFGS calls the losses several times a step: a trial of it is no step of these rules")
        shared = shared.parameters() if isinstance(shared, torch.nn.Module) else shared.values() if isinstance(shared, dict) else shared
        self.model, self.optimizer, self.scaler = model, optimizer, scaler
        self.shared = list({id(p): p for p in shared if p.requires_grad}.values())
        known = {id(p) for p in self.shared}
        held = {id(p) for group in optimizer.param_groups for p in group["params"]}
        if not self.shared or not known <= held:
            raise ValueError("shared: parameters are needed that the optimizer trains")
        self.own = [p for group in optimizer.param_groups for p in group["params"] if p.requires_grad and id(p) not in known]
        self.also = list(also) + ([scaler] if scaler is not None else [])
        self.step = step or (optimizer.step if scaler is None else lambda: (scaler.step(optimizer), scaler.update()))

    def __call__(self, compute, batches, validate, ways=("equal", "cagrad", "upgrad", "pcgrad"), log=None, seed=0):
        """compute(batch): the S losses, before weights. batches: a list, the same for every way. validate(): the S losses on
        data that are not trained on, in numbers. ways: names of rules; or names with, each, the name of a rule, (rule, R)
        with weights of R steps, S fixed weights, or a function of the Gramian. `equal` is always among them. log: a ParetoLog
        or a file that it wrote, which then holds the outcomes. seed: of rules that draw."""
        ways = dict(ways) if isinstance(ways, dict) else {name: name for name in ways}
        ways = {"equal": ways.pop("equal", "equal"), **ways}
        batches = list(batches)
        if not batches:
            raise ValueError("batches: a trial needs at least one")
        plans = [_Plan(name, way) for name, way in ways.items()]
        kept, found = Kept(self.model, self.optimizer, self.also), Found()
        try:
            for plan in plans:
                losses, passes = self._try(compute, batches, validate, plan, numpy.random.RandomState(seed))
                found.append({"name": plan.name, "rule": plan.rule, "R": plan.period, "losses": losses, "backprops": passes, "steps": len(batches)})
                kept.put_back()
        finally:
            kept.put_back()
        base = found[0]["losses"]
        for way in found:
            ratios = [v / max(b, 1e-300) for v, b in zip(way["losses"], base)]
            fine = ratios and all(math.isfinite(v) and v >= 0 for v in ratios)
            # What a single loss gains is bounded, so that one that goes to 0 does not decide alone.
            way["gives_up"] = [i for i, v in enumerate(ratios) if v >= 1.2] if fine else []
            way["value"] = math.exp(sum(math.log(max(v, 1e-6)) for v in ratios) / len(ratios)) if fine else math.inf
        if not math.isfinite(found[0]["value"]):
            raise ValueError("equal weights ended without finite losses: there is nothing to compare with")
        found.sort(key=lambda way: (bool(way["gives_up"]), way["value"]) if way["losses"] else (2, 0))
        if log is not None:
            _write(log, found)
        return found

    def _try(self, compute, batches, validate, plan, draw):
        """The validation losses of a way, none where it failed, and its backward passes."""
        passes, weights = 0, plan.fixed
        for k, batch in enumerate(batches):
            losses = list(compute(batch))
            scale = 1
            if self.scaler is not None:
                scale, losses = self.scaler.get_scale(), [self.scaler.scale(loss) for loss in losses]
            if plan.rule == "ls":
                weights = numpy.ones(len(losses))
            if weights is not None and len(weights) != len(losses):
                raise ValueError(f"{plan.name}: {len(weights)} weights for {len(losses)} losses")
            new = plan.weigh is not None and (k % plan.period == 0 or weights is None)
            self.optimizer.zero_grad()
            used = combine(losses, (lambda gramian: plan.weigh(gramian, draw)) if new else weights, self.shared, self.own, scale)
            passes += len(losses) if new else 1
            if used is not None:
                weights = used
            elif self.scaler is None:
                return [], passes
            self.step()
        losses = [float(v) for v in validate()]
        return (losses if all(map(math.isfinite, losses)) else []), passes


class _Plan:
    """A way: fixed weights, or a function of the Gramian and a generator whose weights are held for `period` steps."""

    def __init__(self, name, way):
        self.name, self.rule, self.period, self.fixed, self.weigh = str(name), "", 1, None, None
        if isinstance(way, tuple):
            way, self.period = way
            if int(self.period) != self.period or self.period < 1:
                raise ValueError(f"{name}: weights are held for one step or more, not {self.period}")
        if isinstance(way, str):
            if way not in rules:
                raise ValueError(f"{name}: no rule {way!r}, known are {', '.join(rules)}")
            self.rule = "ls" if way == "equal" else way
            self.weigh = None if way == "equal" else rules[way]
        elif callable(way):
            self.weigh = lambda gramian, draw: way(gramian)
        else:
            self.fixed = numpy.array([float(v) for v in way])
            if not (numpy.isfinite(self.fixed).all() and (self.fixed >= 0).all() and self.fixed.any()):
                raise ValueError(f"{name}: fixed weights are finite, none is negative, and not all are 0")


def _write(log, found):
    """Adds the outcomes to a log, whose replay then compares them. Ways that failed are left out."""
    ended = [way for way in found if way["losses"]]
    arrays = {"outcome_names": numpy.array([way["name"] for way in ended]), "outcome_rules": numpy.array([way["rule"] for way in ended])}
    for name, key in (("periods", "R"), ("backprops", "backprops"), ("losses", "losses"), ("steps", "steps")):
        arrays["outcome_" + name] = numpy.array([way[key] for way in ended])
    if hasattr(log, "fixed"):
        log.fixed.update(arrays)
        log.save()
        return
    path = os.fspath(log)
    with numpy.load(path) as file:
        arrays = {**{name: file[name] for name in file.files}, **arrays}
    with open(path + ".part", "xb") as file:
        numpy.savez(file, **arrays)
    os.replace(path + ".part", path)
