"""Rules in PyTorch: an aggregator for Jacobians, and a backward pass for a plain training loop."""

from __future__ import annotations

from typing import Any, Iterable, NamedTuple, Sequence

import torch

from . import Weighting

__all__ = ["Aggregator", "Backward", "backward"]


class Aggregator(torch.nn.Module):
    """Module that turns a Jacobian (m, n) into a direction (n) with a rule, like TorchJD's aggregators.

    Parameters
    ----------
    method, seed, **parameters
        As in `paretoplay.Weighting`.
    """

    def __init__(self, method: str, *, seed: int = 0, **parameters: Any) -> None:
        super().__init__()
        self.rule = Weighting(method, seed=seed, **parameters)

    def forward(self, jacobian: torch.Tensor, losses: Any = None) -> torch.Tensor:
        """Return the direction (n) for a Jacobian (m, n), in its type and on its device."""
        self.rule(jacobian=jacobian, losses=losses)
        if self.rule.direction is None:
            raise ValueError(f"{self.rule.method}: there is no direction; the decision has the status {self.rule.status}")
        return self.rule.direction

    def get_extra_state(self) -> dict[str, Any]:
        return self.rule.state_dict()

    def set_extra_state(self, state: dict[str, Any]) -> None:
        self.rule.load_state_dict(state)

    def extra_repr(self) -> str:
        return repr(self.rule)


class Backward(NamedTuple):
    """Results of `backward`: the weights (m) or None, the coefficients (m) with which it added the gradients, the products of the gradients
    (m, m), and the rule's status."""

    weights: torch.Tensor | None
    coefficients: torch.Tensor | None
    gramian: torch.Tensor
    status: str


def backward(
    losses: Sequence[torch.Tensor], *, shared: Iterable[torch.Tensor], rule: Weighting, exact: bool = False, retain_graph: bool = False
) -> Backward:
    """Add the rule's direction to the .grad of the shared parameters, and the gradient of the sum of losses to the .grad of all others.

    It runs one backward pass per loss, and one more for parameters that are not shared.

    Parameters
    ----------
    losses : sequence of scalar tensors (m)
    shared : parameters
        Parameters that several losses depend on, such as the trunk's. A loss has one gradient, for all of them together.
    rule : Weighting
    exact : bool
        Pass the gradients themselves to the rule, which needs a copy of them in double precision on the CPU. Otherwise the rule gets
        their products in double precision, which is enough unless gradients are nearly opposite. Rules that need gradients always get them.
    retain_graph : bool
        Keep the graph for another pass.

    Returns
    -------
    Backward

    Raises
    ------
    ValueError
        For losses that are not scalars or do not depend on any shared parameter, and with the message of ``weigh``. No .grad then changes.
    """
    parameters = [p for p in shared if p.requires_grad]
    losses = list(losses)
    if not losses or any(f.numel() != 1 for f in losses):
        raise ValueError("losses: expected a list of scalar tensors")
    if not parameters:
        raise ValueError("shared: no parameter requires a gradient")
    gradients = [torch.autograd.grad(f, parameters, retain_graph=True, allow_unused=True) for f in losses]
    for i, row in enumerate(gradients):
        if all(g is None for g in row):
            raise ValueError(f"losses[{i}] does not depend on any shared parameter")
    with torch.no_grad():
        rows = [[torch.zeros_like(p) if g is None else g for g, p in zip(row, parameters)] for row in gradients]
        m = len(rows)
        values = torch.stack([f.detach().reshape(()).to("cpu", torch.float64) for f in losses])
        gramian = torch.zeros(m, m, dtype=torch.float64)
        for part in zip(*rows):  # one parameter at a time, to hold only one copy in double precision
            block = torch.stack([g.reshape(-1) for g in part]).to(torch.float64)
            gramian += (block @ block.T).cpu()
        if exact or rule.described["jacobian"]:
            jacobian = torch.stack([torch.cat([g.reshape(-1).to("cpu", torch.float64) for g in row]) for row in rows])
            rule(jacobian=jacobian, losses=values)
        else:
            rule(gramian, losses=values)
        coefficients = rule.effective
        if coefficients is None and rule.direction is None:
            raise ValueError(f"{rule.method}: there is no direction; the decision has the status {rule.status}")
    kept = [None if p.grad is None else p.grad.clone() for p in parameters]
    torch.autograd.backward(losses, retain_graph=retain_graph)
    with torch.no_grad():
        start = 0
        for j, p in enumerate(parameters):
            if coefficients is not None:
                step = sum(float(c) * row[j] for c, row in zip(coefficients, rows))
            else:
                step = rule.direction[start : start + p.numel()].reshape(p.shape).to(p.device, p.dtype)
            start += p.numel()
            p.grad = step if kept[j] is None else kept[j] + step
    return Backward(rule.weights, coefficients, gramian, rule.status or "")
