"""Records a training run on several losses for `paretoplay replay`: at every n-th step the losses and the
Gramian of their gradients with respect to the shared parameters, S x S numbers whatever the size of the network.

    log = ParetoLog("run.npz", trunk, names=["depth", "normals"], every=10, model=model)
    for batch in batches:
        losses = compute(model, batch)                # S scalars, before any weights
        log(losses, cross=lambda: compute(model, other_batch()), weights=weights)
        total(losses).backward(); optimizer.step()    # the run as it was
    log.save()

It changes no number of the run: torch.autograd.grad leaves .grad alone. The second batch works on copies of the
buffers of `model` (running means), and its frozen parameters and torch's random generators are put back after it.
Nothing random is drawn here. A recorded step costs S backward passes, with `cross` 2S and one forward pass, and one
more at the first record and at every hundredth. The other steps cost nothing. What is wrong with a record is said in
a warning, and the record is left out and counted. Needs PyTorch, 1.13 or later, and numpy.
"""
import os
import time
import warnings

import numpy
import torch
from torch import distributed


class ParetoLog:
    """A log in the file `path`, which must not be there yet. Make it before the first call of a compiled model: it sets
    torch._functorch.config.donated_buffer to False, so that a compiled backward pass may be run more than once, and a mark
    in torch.compiler.config.cache_key_tag, so that none is taken from the cache that may not.

    shared: the parameters that the losses share: a module, a dict, a list, or one tensor. Those that are frozen at a step do
    not count there. names: one a loss; the keys where the losses are a dict. every: records one step in so many. model: `cross`
    puts its state back. start: the number of the first step. group: with several processes, which each make a log and call
    it at the same steps, torch.distributed.group.WORLD records the means over them, as DistributedDataParallel trains on
    them, and the first one writes the file; False records this process alone."""

    def __init__(self, path, shared, names=None, every=1, model=None, start=0, group=None):
        self.path, self.part, self.every, self.step, self.group = os.fspath(path), os.fspath(path) + ".part", every, start, group or None
        self.model = torch.nn.Module() if model is None else model
        self.shared, self.fixed = _named(shared, self.model), {} if names is None else {"names": numpy.array(list(names))}
        self.rows, self.left_out, self.seen, self.unreached, self.moving, self.due = [], {}, None, None, None, 20
        several = distributed.is_available() and distributed.is_initialized() and distributed.get_world_size() > 1
        if several and (group is None or getattr(model, "static_graph", False)):
            raise ValueError("several processes: a log in each, group=torch.distributed.group.WORLD (their mean) or False, no static_graph")
        self.writes = self.group is None or distributed.get_rank(self.group) == 0
        if every < 1 or not any(p.requires_grad for _, p in self.shared) or any(map(os.path.exists, [self.path, self.part][:1 + self.writes])):
            raise ValueError(f"needed: parameters that are trained, every >= 1, and no file {self.path} or {self.part} of another recorder")
        open(self.part if self.writes else os.devnull, "ab").close()  # what cannot be written is found before the training begins
        config = getattr(getattr(torch, "_functorch", None), "config", None)
        if getattr(config, "donated_buffer", False):
            config.donated_buffer = False
            if hasattr(getattr(torch.compiler, "config", None), "cache_key_tag"):
                # The compiler's cache on disk does not tell apart what was compiled with and without donated buffers.
                torch.compiler.config.cache_key_tag += ",donated_buffer=False"
            if "_dynamo" in vars(torch) and torch._dynamo.utils.counters["stats"]["unique_graphs"]:
                warnings.warn("a model was compiled before the ParetoLog was made: make it first, or call torch._dynamo.reset() now")

    def __call__(self, losses, cross=None, weights=None, step=None, scale=1, **more):
        """Between the forward and the backward pass of every step. losses: S scalars before weights. cross: a function that
        gives the losses of another, independent batch of the same size. weights: what the run applies. step: its number;
        of several calls with the same one, for the parts of a batch or by a closure, the first counts. scale: what the
        losses were multiplied by, such as GradScaler.get_scale(); losses and gradients are divided by it.
        more: forward_seconds, where there is no `cross` to time it with."""
        now = self.step if step is None else int(step)
        again, self.step, self.seen = step is not None and now == self.seen, now + 1, now
        if again or now % self.every:
            return
        losses, scale, wrong = self._list(losses), float(scale), False
        trained = [p for _, p in _whole(self.shared) if p.requires_grad]
        total = [] if len(self.rows) % 100 else _gradients([losses], trained)
        began, own = self._now(), _gradients([[loss] for loss in losses], trained)
        row = {"backward_seconds": (self._now() - began) / len(losses), **more, "step": now}
        self._name_unreached(own, trained, now)
        products = self._products(own + total, own + total, trained)
        # Numbers of 16 bits, which may be anywhere in the graph, round by up to a hundredth; but when repeated, alike.
        if total and numpy.isfinite(products).all() and _apart(products) > 1e-4:
            repeated = total + _gradients([losses], trained)
            wrong = _apart(products) > 1e-2 or _apart(self._products(repeated, repeated, trained)) > 1e-4
        row["losses"] = self._mean(torch.tensor([_number(v) / scale for v in losses], dtype=torch.float64)).tolist()
        row["gramian"] = products[:len(own), :len(own)] / scale / scale
        if weights is not None:
            row["weights"] = [_number(w) for w in weights]
        if cross is not None:
            self._second(cross, own, trained, row)
            row["cross"] = row["cross"] / scale / scale
        first, sizes = self.rows[0] if self.rows else row, {axis for value in row.values() for axis in numpy.shape(value)}
        if sizes != {len(self.fixed.get("names", first["losses"]))} or first.keys() != row.keys():
            raise ValueError(f"step {now}: as many losses, weights and losses of `cross` as names, the same at every step")
        lengths = numpy.sqrt(numpy.diagonal(row["gramian"]))
        if not all(numpy.isfinite(value).all() for value in row.values()):
            self._leave_out(now, "a loss or a gradient is not finite")
        elif wrong:
            self._leave_out(now, "the gradients do not add up to that of the losses' sum: a further backward pass gives others, as of CUDA "
                            "graphs (reduce-overhead) compiled before the ParetoLog was made. Those since the last check may be wrong, too")
        elif (abs(row["gramian"]) > numpy.outer(lengths, lengths) * (1 + 1e-6)).any():
            self._leave_out(now, "no gradients have such products: they are too small for floating-point numbers")
        else:
            self.rows.append(row)
            if len(self.rows) >= self.due:  # grows with the log, so that writing stays cheap
                self.save()

    def save(self):
        """Writes the file beside its place and renames it when it is whole."""
        if self.writes and self.rows:
            columns = {name: numpy.array([row[name] for row in self.rows]) for name in self.rows[0]}
            with open(self.part, "wb") as file:
                numpy.savez(file, left_out=numpy.array(sorted(sum(self.left_out.values(), [])), int), **columns, **self.fixed)
            os.replace(self.part, self.path)
            self.due = len(self.rows) * 5 // 4 + 20
        elif self.writes and os.path.exists(self.part):
            os.remove(self.part)
            warnings.warn(f"{self.path}: no records" + "".join(f"; {len(steps)} left out: {why}" for why, steps in self.left_out.items()))

    def _leave_out(self, step, why):
        steps = self.left_out[why] = self.left_out.get(why, []) + [step]
        if str(len(steps)).strip("0") == "1":  # the first, the tenth, the hundredth
            warnings.warn(f"step {step} is not recorded, {len(steps)} so far: {why}")

    def _name_unreached(self, rows, trained, step):
        """Names once every parameter that no loss reaches."""
        reached = {id(p) for k, p in enumerate(trained) if any(row[k] is not None for row in rows)}
        if self.unreached is None and not reached:
            raise ValueError("no loss depends on a shared parameter")
        told, self.unreached = self.unreached or set(), {id(p) for _, p in self.shared} - reached | (self.unreached or set())
        new = [name + " (frozen)" * (not p.requires_grad) for name, p in self.shared if id(p) in self.unreached - told]
        if new:
            warnings.warn(f"step {step}: no loss reaches these shared parameters, which count as 0: {', '.join(new)[:1000]}")

    def _second(self, cross, own, trained, row):
        """Adds what `cross` gives. It works on copies: what the run's backward pass needs stays as it is."""
        held = [(module, dict(module._buffers)) for module in self.model.modules()]
        frozen = [p for p in self.model.parameters() if not p.requires_grad] if self.moving is None else self.moving
        copies = [(p, p.detach().clone(), p._version) for p in frozen]
        for module, buffers in held:
            module._buffers.update({name: b if b is None else b.clone() for name, b in buffers.items()})
        try:
            with torch.random.fork_rng(range(torch.cuda.device_count() if torch.cuda.is_initialized() else 0)):
                began, others = self._now(), cross()
                row.setdefault("forward_seconds", self._now() - began)
                row["cross"] = self._products(own, _gradients([[loss] for loss in self._list(others)], trained), trained)
        finally:
            self.moving = [p for p, _, version in copies if p._version != version]
            for p, copy, _ in copies:
                p.data.copy_(copy)
            for module, buffers in held:
                module._buffers.update(buffers)

    def _list(self, losses):
        names = self.fixed.setdefault("names", numpy.array(list(losses))) if isinstance(losses, dict) else range(len(losses))
        return [losses[name] for name in names]

    def _mean(self, values):
        """Over the processes."""
        if self.group is not None:
            values = values.to(self.shared[0][1].device)
            distributed.all_reduce(values, group=self.group)
            values = values / distributed.get_world_size(self.group)
        return values

    def _products(self, one, other, trained):
        """The S x S products in float64, a parameter at a time."""
        total = torch.zeros(len(one), len(other), dtype=torch.float64)
        for k, p in enumerate(trained):
            a = self._mean(_matrix(one, k, p))
            total = total.to(a.device) + a @ (a if one is other else self._mean(_matrix(other, k, p))).T
        return total.cpu().numpy()

    def _now(self):
        if self.shared[0][1].is_cuda:
            torch.cuda.synchronize()
        return time.perf_counter()


def _named(shared, model):
    """The names and shared parameters, each once."""
    shared = dict(shared.named_parameters()) if isinstance(shared, torch.nn.Module) else [shared] if torch.is_tensor(shared) else shared
    names, found = {id(p): name for name, p in model.named_parameters()}, {}
    for name, p in shared.items() if isinstance(shared, dict) else enumerate(shared):
        name, p = p if isinstance(p, tuple) else (name, p)  # as of named_parameters()
        p = p if torch.is_tensor(p) else getattr(p, "value", p)  # of a Keras variable
        if not torch.is_tensor(p):
            raise ValueError(f"shared: {name} is a {type(p).__name__}, a parameter is expected")
        found[id(p)] = names.get(id(p), str(name)), p
    return _whole(list(found.values()))


def _whole(shared):
    for name, p in shared:
        if getattr(p, "_fsdp_flattened", False) or hasattr(p, "device_mesh") or hasattr(p, "ds_id"):
            raise ValueError(f"parameter {name} is spread over processes (FSDP, ZeRO): record with DistributedDataParallel, or one process")
    return shared


def _number(value):
    return float(value.detach() if torch.is_tensor(value) else value)


def _gradients(sums, trained):
    """Of each sum of losses the gradients by parameter, None where it does not reach one."""
    graphs = [[loss for loss in losses if torch.is_tensor(loss) and loss.requires_grad] for losses in sums]
    none = [None] * len(trained)
    return [torch.autograd.grad(g, trained, retain_graph=True, allow_unused=True) if g and trained else none for g in graphs]


def _matrix(rows, k, p):
    """The gradients of parameter k as rows of doubles: a complex number as two, a sparse one with its zeros."""
    parts = [torch.zeros_like(p) if row[k] is None else row[k] for row in rows]
    matrix = torch.stack([g if g.layout == torch.strided else g.to_dense() for g in parts]).detach()
    matrix = torch.view_as_real(matrix.resolve_conj()) if matrix.is_complex() else matrix
    return (matrix.cpu() if matrix.device.type == "mps" else matrix).reshape(len(rows), -1 if p.numel() else 0).double()


def _apart(products):
    """How far the last gradient is from the sum of the others, in their lengths."""
    signs = numpy.append(numpy.ones(len(products) - 1), -1)
    return (max(signs @ products @ signs, 0) / max(numpy.trace(products[:-1, :-1]), products[-1, -1], 1e-300)) ** 0.5
