"""Exact weights for several gradients, and other computations of Pareto Playground, on arrays.

Every rule of ``paretoplay weigh`` is available under the same name, with the same parameters, and returns bit-identical results. The
package has no global state: rules may be used in several threads at once, and calls release Python's lock. One rule makes one decision at
a time.
"""

from __future__ import annotations

import importlib
import json
import sys
import threading
from typing import Any, Sequence, cast

import numpy as np

from . import _native

__all__ = ["Weighting", "hypervolume", "methods", "replay", "transport"]
__version__ = "0.1.0.dev0"

_double = np.dtype(np.float64)


def __getattr__(name: str) -> Any:
    if name == "torch":  # loaded on first use, because PyTorch takes seconds
        return importlib.import_module(".torch", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def methods() -> list[dict[str, Any]]:
    """List all rules.

    Returns
    -------
    list of dict
        For each rule its ``name``, ``title``, ``help`` and ``paper``; whether it reads ``losses``, needs the losses ``after`` each step,
        needs the ``jacobian``, and has ``weights``; and its ``parameters`` with their defaults as text.
    """
    return cast("list[dict[str, Any]]", _native.answer(_native.library().pp_methods)["methods"])


def _kind(x: Any) -> str:
    root = type(x).__module__.partition(".")[0]
    return root if root in ("torch", "jax", "jaxlib") else "numpy"


def _array(name: str, x: Any, ndim: int) -> np.ndarray:
    """Return x as contiguous doubles in native byte order, copied only if necessary."""
    if type(x) is np.ndarray and x.ndim == ndim and x.dtype == _double and x.flags.c_contiguous and x.flags.aligned:
        return x
    if _kind(x) == "torch":
        import torch

        if x.is_complex():
            raise ValueError(f"{name}: expected real numbers, got {x.dtype}")
        x = x.detach().to("cpu", torch.float64).to_dense().numpy()
    try:
        out = np.asarray(x)
    except ValueError as e:
        raise ValueError(f"{name}: the rows have different lengths; a matrix needs rows of one length") from e
    if out.dtype.kind not in "biuf" and out.dtype.name != "bfloat16":
        raise ValueError(f"{name}: expected real numbers, got {out.dtype}")
    if out.ndim != ndim:
        raise ValueError(f"{name}: expected {'a matrix' if ndim == 2 else 'a list'}, got {out.ndim} dimensions")
    return np.ascontiguousarray(out, dtype=np.float64)


def _like(out: np.ndarray, x: Any) -> Any:
    """Return out as the same kind of array as x, with its floating type and on its device."""
    if type(x) is np.ndarray and x.dtype == np.float64:
        return out
    kind = _kind(x)
    if kind == "torch":
        import torch

        tensor = torch.from_numpy(out)
        if x.is_cpu and x.dtype is torch.float64:
            return tensor
        return tensor.to(x.device, x.dtype if x.dtype.is_floating_point else torch.float64)
    if kind in ("jax", "jaxlib"):
        import jax.numpy as jnp

        return jnp.asarray(out, dtype=x.dtype if jnp.issubdtype(x.dtype, jnp.floating) else None)
    dtype = getattr(x, "dtype", None)
    return out.astype(dtype.newbyteorder("=")) if dtype is not None and dtype.kind == "f" else out


def _setting(value: Any) -> str:
    """Return a value in the form of the command line."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(_setting(v) for v in value)
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)


class Weighting:
    """A rule that turns gradients into weights. It keeps its method's memory from call to call. Methods without memory accept inputs of any
    shape in each call; others need the shape of the first call.

    Parameters
    ----------
    method : str
        One of the names of `methods`, such as ``"upgrad"``.
    seed : int
        Seed of random rules, at least 0.
    **parameters
        The parameters of ``paretoplay weigh -method METHOD -h``, with the same checks.

    Attributes
    ----------
    status : str or None
        Status of the last decision: ``"converged"``, ``"budget"``, ``"no-solution"`` and so on; None before the first decision.
    gap : float or None
        Duality gap of the last decision relative to its scale; None if the rule computes none.
    described : dict
        The entry of the rule in `methods`.
    weights, effective, direction : array or None
        Results of the last decision, as the same kind of array as its input: the paper's weights (m); coefficients c with
        direction = Jᵀc (m); and the direction (n), which must be subtracted. Each is None if the rule or a Gramian provides none.

    Raises
    ------
    ValueError
        For an unknown method or parameter, with the message of ``weigh``. Invalid parameter values are reported by the first call.
    """

    def __init__(self, method: str, *, seed: int = 0, **parameters: Any) -> None:
        self.described: dict[str, Any] = next((m for m in methods() if m["name"] == method), {})
        known = self.described.get("parameters", parameters)
        for name in parameters:
            if name not in known:
                raise ValueError(f"unknown parameter {name!r} of {method}; available: {' '.join(known) or 'none'}")
        self.method, self.seed, self.parameters = str(method), int(seed), dict(parameters)
        if self.seed < 0:
            raise ValueError(f"seed: {seed} is negative; it must be at least 0")
        self._id, self._lock = self._made(), threading.Lock()
        self._shape = (-1, -1)
        self._stored: tuple[np.ndarray, ...] = ()
        self._addresses: tuple[int, ...] = ()
        self.status: str | None = None
        self.gap: float | None = None
        self.weights = self.effective = self.direction = None

    def _made(self) -> int:
        handle = np.zeros(1, dtype=np.uint64)
        settings = json.dumps([f"{name}={_setting(v)}" for name, v in self.parameters.items() if v is not None])
        _native.check(_native.library().pp_rule(handle.ctypes.data, self.method.encode(), settings.encode(), self.seed))
        return int(handle[0])

    def __call__(self, gramian: Any = None, *, jacobian: Any = None, losses: Any = None, cross: Any = None) -> Any:
        """Decide on the gradients of a step.

        Parameters
        ----------
        gramian : array (m, m), optional
            Products of the m gradients. NumPy, PyTorch on any device, or JAX; any real type.
        jacobian : array (m, n), optional
            The gradients themselves, instead of the Gramian. Use them for rules that read coordinates, for a direction, and for full
            accuracy if gradients are nearly opposite.
        losses : array (m), optional
            Losses, for rules that read them.
        cross : array (m, m), optional
            Products of the gradients with those on another batch, for MoDo.

        Returns
        -------
        array (m) or (n)
            The weights, or the direction for rules without weights. It is the same kind of array as the input, with its floating type
            and on its device.

        Raises
        ------
        ValueError
            For invalid shapes, numbers or losses, with the message of ``weigh``. The rule then stays unchanged.
        RuntimeError
            In a forked child.

        Notes
        -----
        Ctrl-C raises KeyboardInterrupt after the decision, which may take seconds with hundreds of objectives.
        """
        if (gramian is None) == (jacobian is None):
            raise ValueError("expected either a gramian or a jacobian")
        given = gramian if jacobian is None else jacobian
        name = "gramian" if jacobian is None else "jacobian"
        if _kind(given) in ("jax", "jaxlib") and isinstance(given, sys.modules["jax"].core.Tracer):
            return self._traced(given, gramian=jacobian is None, losses=losses, cross=cross)
        x = _array(name, given, 2)
        m, n = x.shape
        if jacobian is None:
            if m != n:
                raise ValueError(f"gramian: it is {m}×{n}; it must be square")
            n = 0
        elif n == 0:
            raise ValueError("jacobian: its rows are empty")
        f = None if losses is None else _array("losses", losses, 1)
        c = None if cross is None else _array("cross", cross, 2)
        if f is not None and len(f) != m:
            raise ValueError(f"losses: got {len(f)}, but there are {m} objectives")
        if c is not None and c.shape != (m, m):
            raise ValueError(f"cross: it is {c.shape[0]}×{c.shape[1]}; it must be {m}×{m}")
        with self._lock:
            if self._shape != (m, n):
                if not _remembers(self.method):  # the shape may differ in each call
                    _native.library().pp_rule_free(self._id)
                    self._id = self._made()
                rows = np.empty((m, m if n == 0 else 0))  # reading an address takes a microsecond, so a Gramian is copied to a known one
                self._shape, self._stored = (m, n), (rows, np.empty(m), np.empty(m), np.empty(n), np.empty(1), np.empty(5, dtype=np.int64))
                self._addresses = tuple(a.ctypes.data for a in self._stored)
            rows, w, e, d, gap, facts = self._stored
            if n == 0:
                rows[...] = x
            error = _native.library().pp_decide(
                self._id, m, n, x.ctypes.data if n else self._addresses[0], None if f is None else f.ctypes.data,
                None if c is None else c.ctypes.data, *self._addresses[1:],
            )
            if error:
                _native.check(error)
            status, has_weights, has_effective, has_direction, has_gap = facts.tolist()
            self.status = _native.statuses[status]
            self.gap = gap.item() if has_gap else None
            self.weights = weights = _like(w.copy(), given) if has_weights else None
            self.effective = _like(e.copy(), given) if has_effective else None
            self.direction = direction = _like(d.copy(), given) if has_direction else None
        return weights if has_weights or not has_direction else direction

    def _traced(self, given: Any, **others: Any) -> Any:
        """Decide inside a function that JAX traces, by a callback. It has no derivative, since weights are constants in a step."""
        from jax.experimental import io_callback

        jax: Any = sys.modules["jax"]
        name = "gramian" if others.pop("gramian") else "jacobian"
        dtype = given.dtype if jax.numpy.issubdtype(given.dtype, jax.numpy.floating) else jax.numpy.result_type(float)
        size = given.shape[0] if self.described["weights"] else given.shape[1]
        arguments = {name: given, **{k: v for k, v in others.items() if v is not None}}

        def decide(values: dict[str, Any]) -> np.ndarray:
            out = self(**{k: np.asarray(v) for k, v in values.items()})
            return np.full(size, np.nan, dtype) if out is None else np.asarray(out, dtype=dtype)

        shape, arguments = jax.ShapeDtypeStruct((size,), dtype), jax.lax.stop_gradient(arguments)
        if _remembers(self.method):  # the order of calls matters
            return io_callback(decide, shape, arguments, ordered=True)
        return jax.pure_callback(decide, shape, arguments, vmap_method="sequential")

    def observe(self, before: Any, after: Any) -> None:
        """Pass the rule the losses (m) before and after the step that followed the last decision, on the same batch. FAMO needs them."""
        f, g = _array("before", before, 1), _array("after", after, 1)
        if len(f) != len(g):
            raise ValueError(f"after: got {len(g)} losses, but {len(f)} before")
        _native.check(_native.library().pp_observe(self._id, len(f), f.ctypes.data, g.ctypes.data))

    def state_dict(self) -> dict[str, Any]:
        """Return the rule's memory as text, which JSON, pickle and torch.save can store."""
        return {"method": self.method, "memory": _native.taken(_native.library().pp_save(self._id))}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Load the state of a rule with the same method, parameters and seed. Later results are then identical bit for bit."""
        _native.check(_native.library().pp_load(self._id, str(state["memory"]).encode()))
        self._shape = (-1, -1)

    def __reduce__(self) -> Any:
        return _restored, (self.method, self.seed, self.parameters, self.state_dict())

    def __del__(self) -> None:
        try:
            _native.library().pp_rule_free(self._id)
        except Exception:
            pass  # not created, the interpreter is shutting down, or this is a forked child, whose copy is not freed

    def __repr__(self) -> str:
        return f"Weighting({', '.join([repr(self.method)] + [f'{n}={v!r}' for n, v in self.parameters.items()])})"


def _restored(method: str, seed: int, parameters: dict[str, Any], state: dict[str, Any]) -> Weighting:
    out = Weighting(method, seed=seed, **parameters)
    out.load_state_dict(state)
    return out


def _remembers(method: str) -> bool:
    """Return whether a rule's decisions depend on earlier calls or on the number of calls."""
    return method not in ("cagrad", "config", "dualproj", "fairgrad", "gls", "imtlg", "ls", "mgda", "nashmtl", "si", "upgrad", "alignedmtl")


def transport(
    cost: Any, a: Any = None, b: Any = None, *, tau: float = 0.0, solver: str = "exact", **parameters: Any
) -> tuple[Any, dict[str, Any]]:
    """Find a plan that transports masses a to masses b at minimum cost.

    Parameters
    ----------
    cost : array (n, m)
        Cost per unit of mass.
    a, b : array (n), array (m), optional
        Masses, at least 0, with equal sums; the default is equal masses with sum 1. Sums may differ by 1e-6; b is scaled to the sum of a.
    tau : float
        Reward for rows that are not split, at least 0.
    solver : str
        ``"exact"``, ``"sinkhorn"`` with ``eps=``, or ``"ipot"`` with ``beta=``, both relative to the range of the costs.

    Returns
    -------
    plan : array (n, m)
        The plan, as the same kind of array as the costs.
    facts : dict
        ``cost``, ``objective``, ``duals``, ``bound``, ``gap``, ``converged``, ``iterations``, ``marginal_error``, and ``values`` with the
        names of POT and ott.

    Raises
    ------
    ValueError
        For invalid shapes, masses, costs or parameters, with the message of the command ``transport``.
    """
    c = _array("cost", cost, 2)
    n, m = c.shape
    masses = [np.full(k, 1 / max(k, 1)) if x is None else _array(name, x, 1) for name, x, k in (("a", a, n), ("b", b, m))]
    for name, x, k in (("a", masses[0], n), ("b", masses[1], m)):
        if len(x) != k:
            raise ValueError(f"{name}: got {len(x)} masses, but there are {k} {'rows' if name == 'a' else 'columns'} of costs")
    plan = np.zeros((n, m))
    settings = json.dumps({name: _setting(v) for name, v in parameters.items()}).encode()
    facts = _native.answer(
        _native.library().pp_transport, n, m, c.ctypes.data, masses[0].ctypes.data, masses[1].ctypes.data, float(tau), solver.encode(),
        settings, plan.ctypes.data,
    )
    facts.pop("plan")
    return _like(plan, cost), facts


def hypervolume(
    points: Any, reference: Any, *, maximise: Sequence[int] = (), contributions: bool = False
) -> float | tuple[float, np.ndarray]:
    """Compute the volume that points dominate, up to a reference point.

    Parameters
    ----------
    points : array (n, m)
    reference : array (m)
        Points at or beyond it contribute nothing.
    maximise : sequence of int
        Objectives to maximise, counted from 1.
    contributions : bool
        Also return the decrease of the volume without each point, (n).

    Raises
    ------
    ValueError
        With the message of the command ``hypervolume``.
    """
    r = _array("reference", reference, 1)
    p = _array("points", points, 2) if np.size(points) else np.zeros((0, len(r)))
    if p.shape[1] != len(r):
        raise ValueError(f"points: got {p.shape[1]} objectives, but the reference has {len(r)}")
    said = _native.answer(
        _native.library().pp_hypervolume, len(p), len(r), p.ctypes.data, r.ctypes.data, json.dumps([int(j) for j in maximise]).encode(),
        int(contributions),
    )
    if contributions:
        return float(said["hypervolume"]), np.array(said.get("contributions", []))
    return float(said["hypervolume"])


def replay(path: Any, *, methods: Sequence[str] = ()) -> dict[str, Any]:
    """Analyse the log of a training run: return the report of ``paretoplay replay -json``.

    Parameters
    ----------
    path : str or path
        An npz file of the recorder, JSON lines, an npy file of Gramians, or the files of a tracker.
    methods : sequence of str
        Rules to apply; MGDA if empty.
    """
    return cast("dict[str, Any]", _native.answer(_native.library().pp_replay, str(path).encode(), json.dumps(list(methods)).encode()))
