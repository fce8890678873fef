"""Records a training run on several losses for `paretoplay replay`: at every n-th step the losses and the
Gramian of their gradients with respect to the shared parameters, S x S numbers whatever the size of the network.

    log = ParetoLog("run.npz", trunk.parameters(), names=["depth", "normals"], every=10, model=model)
    for batch in batches:
        losses = compute(model, batch)                # S scalars, before any weights
        log(losses, cross=lambda: compute(model, other_batch()), weights=weights)
        total(losses).backward(); optimizer.step()    # the run as it was
    log.save()

It changes nothing of the run: torch.autograd.grad leaves .grad alone, the second batch works on copies of the buffers
of `model` (running means), torch's random generators are put back after it, and nothing random is drawn here. A
recorded step costs S backward passes, with `cross` 2S and one forward pass; the other steps cost nothing.
Needs PyTorch and numpy.
"""
import os
import time
import warnings

import numpy
import torch


class ParetoLog:
    """A log in the file `path`, which must not be there yet.

    shared: the parameters that the losses share. names: one a loss. every: records one step in so many.
    model: `cross` works on copies of its buffers. start: the number of the first step."""

    def __init__(self, path, shared, names=None, every=1, model=None, start=0):
        self.path, self.part, self.shared = path, path + ".part", [p for p in shared if p.requires_grad]
        self.every, self.model, self.step = every, torch.nn.Module() if model is None else model, start
        self.rows, self.fixed, self.due = [], {} if names is None else {"names": numpy.array(list(names))}, 20
        if not self.shared or every < 1 or os.path.exists(path):
            raise ValueError(f"needed: shared parameters that are trained, every >= 1, and no file at {path}")
        open(self.part, "wb").close()  # what cannot be written is found before the training begins

    def __call__(self, losses, cross=None, weights=None, **more):
        """Between the forward and the backward pass of every step. losses: S scalar tensors before weights. cross: a function that
        gives the losses of another, independent batch of the same size. weights: what the run applies.
        more: forward_seconds, where there is no `cross` to time it with."""
        step, self.step = self.step, self.step + 1
        if step % self.every:
            return
        began, own = self._now(), self._gradients(losses)
        row = {"backward_seconds": (self._now() - began) / len(losses), **more, "step": step,
               "losses": [loss.item() for loss in losses], "gramian": self._products(own, own)}
        if weights is not None:
            row["weights"] = [float(w) for w in weights]
        if cross is not None:
            # The second batch works on copies: what the run's backward pass needs stays as it is.
            held = [(module, dict(module._buffers)) for module in self.model.modules()]
            for module, buffers in held:
                module._buffers.update({name: b if b is None else b.clone() for name, b in buffers.items()})
            with torch.random.fork_rng():
                began, others = self._now(), cross()
                row.setdefault("forward_seconds", self._now() - began)
                row["cross"] = self._products(own, self._gradients(others))
            for module, buffers in held:
                module._buffers.update(buffers)
        if not all(numpy.isfinite(value).all() for value in row.values()):
            return warnings.warn(f"step {step} is not recorded: a loss or a gradient is not finite")
        first = self.rows[0] if self.rows else row
        sizes = {axis for value in row.values() for axis in numpy.shape(value)}
        if sizes != {len(self.fixed.get("names", first["losses"]))} or first.keys() != row.keys():
            raise ValueError(f"step {step}: as many losses, weights and losses of `cross` as names, the same at every step")
        self.rows.append(row)
        if len(self.rows) >= self.due:  # grows with the log, so that writing stays cheap
            self.save()

    def save(self):
        """Writes the file beside its place and renames it when it is whole."""
        columns = {name: numpy.array([row[name] for row in self.rows]) for name in (self.rows or [{}])[0]}
        with open(self.part, "wb") as file:
            numpy.savez(file, **columns, **self.fixed)
        os.replace(self.part, self.path)
        self.due = len(self.rows) * 5 // 4 + 20

    def _gradients(self, losses):
        rows = [torch.autograd.grad(loss, self.shared, retain_graph=True, allow_unused=True) for loss in losses]
        if all(g is None for row in rows for g in row):
            raise ValueError("no loss depends on a shared parameter")
        return [[torch.zeros_like(p) if g is None else g for g, p in zip(row, self.shared)] for row in rows]

    def _products(self, one, other):
        """The S x S products in float64, a parameter at a time."""
        return sum(torch.stack(a).flatten(1).double() @ torch.stack(b).flatten(1).double().T
                   for a, b in zip(zip(*one), zip(*other))).cpu().numpy()

    def _now(self):
        if self.shared[0].is_cuda:
            torch.cuda.synchronize()
        return time.perf_counter()
