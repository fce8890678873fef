"""Prints what other libraries return for small fronts, plans and points of test problems, one JSON object per line.

Each line has the work, its input, the library with its version, the call, and the value. bench/conventions/fronts runs this
file once in each environment; a library that is missing there is left out, and the names of those that must be there
are the arguments.
"""

import json
import sys
import warnings
from importlib.metadata import version

import numpy as np

warnings.simplefilter("ignore")

FRONTS = {
    "three points": ([[1, 3], [2, 2], [3, 1]], [4, 4]),
    "three objectives, with a duplicate, a dominated point and one beyond the reference": (
        [[1, 2, 3], [3, 1, 2], [2, 3, 1], [1, 2, 3], [3, 3, 3], [0, 0, 9]],
        [4, 4, 4],
    ),
    "four objectives with ties": (
        [[2, 2, 2, 2], [3, 1, 2, 3], [2, 2, 2, 1]],
        [4, 4, 4, 4],
    ),
}
DUPLICATES = {
    "four points, one twice and one dominated": [[1, 2], [2, 1], [1, 2], [2, 2]],
    "a point weakly dominated": [[0, 1], [0, 2], [1, 0]],
    "three objectives, one twice": [[1, 2, 3], [3, 2, 1], [1, 2, 3], [3, 3, 3], [2, 2, 2]],
}
OVERLAPPING = {
    "three points": ([[1, 3], [2, 2], [3, 1]], [4, 4]),
    "one point dominated": ([[0.5, 0.5], [0.6, 0.6]], [1, 1]),
    "three objectives": ([[1, 2, 3], [3, 1, 2], [2, 3, 1]], [4, 4, 4]),
}
POINTS = {
    "ZDT1": [[0.2, 0.4, 0.6], [0, 0.5, 0.5], [0.85, 0, 0]],
    "ZDT2": [[0.2, 0.4, 0.6], [0, 0.5, 0.5], [0.85, 0, 0]],
    "ZDT3": [[0.2, 0.4, 0.6], [0, 0.5, 0.5], [0.85, 0, 0]],
    "Fonseca": [[0.1, -0.3, 0.5], [0, 0, 0], [-1, 0.2, 1.5]],
}
PLANS = {
    "three on a line": ([[0, 1, 2], [1, 0, 1], [2, 1, 0]], [0.2, 0.3, 0.5], [0.5, 0.3, 0.2]),
    "two rows, three columns": ([[1, 4, 2], [3, 1, 5]], [0.6, 0.4], [0.3, 0.3, 0.4]),
    "masses of sum 2": ([[0, 1], [3, 1]], [1.5, 0.5], [1, 1]),
}
SHARE = 0.1  # eps of our Sinkhorn, relative to the range of the costs


def plain(value):
    """The value in a form that JSON can encode."""
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    return value


def say(work, name, given, library, call, value):
    print(json.dumps({"work": work, "name": name, "input": given, "library": f"{library} {version(library)}", "call": call,
                      "value": plain(value)}))


def each_front(library, call, volume):
    for name, (points, reference) in FRONTS.items():
        say("hypervolume", name, {"points": points, "reference": reference}, library, call,
            float(volume(np.array(points, dtype=float), np.array(reference, dtype=float))))


def each_contribution(library, call, contributions):
    for name, (points, reference) in OVERLAPPING.items():
        say("contributions", name, {"points": points, "reference": reference}, library, call,
            contributions(np.array(points, dtype=float), np.array(reference, dtype=float)))


def each_set(library, call, kept):
    """kept returns the indices of the points kept, from 0."""
    for name, points in DUPLICATES.items():
        say("non-dominated", name, {"points": points}, library, call, sorted(int(i) for i in kept(np.array(points, dtype=float))))


def each_problem(library, calls, value):
    """calls maps names of problems to calls that make them; value returns the objectives at a point."""
    for problem, call in calls.items():
        for x in POINTS[problem]:
            say("problem", problem, {"x": x}, library, call, [float(v) for v in value(problem, x)])


def pymoo():
    from pymoo.indicators.hv import HV
    from pymoo.problems import get_problem
    from pymoo.util.nds.non_dominated_sorting import NonDominatedSorting

    each_front("pymoo", "HV(ref_point=r)(F)", lambda f, r: HV(ref_point=r)(f))
    each_set("pymoo", "NonDominatedSorting().do(F)[0]", lambda f: NonDominatedSorting().do(f)[0])
    each_problem("pymoo", {z: f'get_problem("{z.lower()}", n_var=3)' for z in ("ZDT1", "ZDT2", "ZDT3")},
                 lambda p, x: get_problem(p.lower(), n_var=3).evaluate(np.array(x, dtype=float)))


def moocore():
    import moocore as m

    each_front("moocore", "hypervolume(F, ref=r)", lambda f, r: m.hypervolume(f, ref=r))
    each_contribution("moocore", "hv_contributions(F, ref=r)", lambda f, r: m.hv_contributions(f, ref=r))
    each_contribution("moocore", "hv_contributions(F, ref=r, ignore_dominated=False)",
                      lambda f, r: m.hv_contributions(f, ref=r, ignore_dominated=False))
    each_set("moocore", "is_nondominated(F)", lambda f: np.flatnonzero(m.is_nondominated(f)))
    each_set("moocore", "is_nondominated(F, keep_weakly=True)", lambda f: np.flatnonzero(m.is_nondominated(f, keep_weakly=True)))


def pygmo():
    import pygmo as p

    def inside(f, r):
        """pygmo refuses points that are not below the reference."""
        return f[(f < r).all(axis=1)]

    each_front("pygmo", "hypervolume(F below r).compute(r)", lambda f, r: p.hypervolume(inside(f, r)).compute(r))
    each_contribution("pygmo", "hypervolume(F).contributions(r)", lambda f, r: p.hypervolume(f).contributions(r))
    each_set("pygmo", "fast_non_dominated_sorting(F)[0][0]", lambda f: p.fast_non_dominated_sorting(f)[0][0])
    each_problem("pygmo", {f"ZDT{i}": f"zdt({i}, 3)" for i in (1, 2, 3)}, lambda q, x: p.problem(p.zdt(int(q[-1]), 3)).fitness(x))


def optuna():
    from optuna._hypervolume import compute_hypervolume
    from optuna.study._multi_objective import _is_pareto_front

    each_front("optuna", "_hypervolume.compute_hypervolume(F below r, r)",
               lambda f, r: compute_hypervolume(f[(f <= r).all(axis=1)], r))
    each_set("optuna", "_is_pareto_front(F, assume_unique_lexsorted=False)",
             lambda f: np.flatnonzero(_is_pareto_front(f, assume_unique_lexsorted=False)))


def jmetalpy():
    from jmetal.core.quality_indicator import HyperVolume
    from jmetal.core.solution import FloatSolution
    from jmetal.problem import ZDT1, ZDT2, ZDT3, Fonseca
    from jmetal.util.archive import NonDominatedSolutionsArchive

    makers = {"ZDT1": lambda: ZDT1(3), "ZDT2": lambda: ZDT2(3), "ZDT3": lambda: ZDT3(3), "Fonseca": Fonseca}

    def value(problem, x):
        made = makers[problem]()
        s = FloatSolution(made.lower_bound, made.upper_bound, 2)
        s.variables = list(x)
        return made.evaluate(s).objectives

    def archived(f):
        archive = NonDominatedSolutionsArchive()
        for i, point in enumerate(f):
            s = FloatSolution([0.0], [1.0], len(point))
            s.objectives, s.variables, s.attributes = list(point), [0.0], {"number": i}
            archive.add(s)
        return [s.attributes["number"] for s in archive.solution_list]

    each_front("jmetalpy", "HyperVolume(r).compute(F)", lambda f, r: HyperVolume(r).compute(f))
    each_set("jmetalpy", "NonDominatedSolutionsArchive", archived)
    each_problem("jmetalpy", {"ZDT1": "ZDT1(3)", "ZDT2": "ZDT2(3)", "ZDT3": "ZDT3(3)", "Fonseca": "Fonseca()"}, value)


def platypus():
    from platypus import Hypervolume, Problem, Real, Solution, nondominated
    from platypus.problems import ZDT1, ZDT2, ZDT3

    def solutions(f):
        problem = Problem(1, f.shape[1])
        problem.types[:] = Real(0, 1)
        out = []
        for i, point in enumerate(f):
            s = Solution(problem)
            s.variables[:], s.objectives[:], s.constraint_violation, s.evaluated, s.number = [0.5], list(point), 0.0, True, i
            out.append(s)
        return out

    def value(problem, x):
        made = {"ZDT1": ZDT1, "ZDT2": ZDT2, "ZDT3": ZDT3}[problem]()
        made.nvars, made.types = 3, made.types  # its default number is 30
        s = Solution(made)
        s.variables = list(x)
        made.evaluate(s)
        return list(s.objectives)

    each_front("platypus-opt", "Hypervolume(minimum=[0, …], maximum=r)(F)",
               lambda f, r: Hypervolume(minimum=[0.0] * len(r), maximum=[float(v) for v in r]).calculate(solutions(f)))
    each_set("platypus-opt", "nondominated(F)", lambda f: [s.number for s in nondominated(solutions(f))])
    each_problem("platypus-opt", {z: f"{z}() with nvars = 3" for z in ("ZDT1", "ZDT2", "ZDT3")}, value)


def deap():
    from deap import base, benchmarks
    from deap.benchmarks.tools import hypervolume

    def individuals(f):
        weights = (-1.0,) * f.shape[1]
        made = []
        for point in f:
            fitness = type("Fitness", (base.Fitness,), {"weights": weights})()
            fitness.values = tuple(point)
            made.append(type("Individual", (), {"fitness": fitness}))
        return made

    each_front("deap", "benchmarks.tools.hypervolume(F, r)", lambda f, r: hypervolume(individuals(f), r))
    each_problem("deap", {"ZDT1": "benchmarks.zdt1", "ZDT2": "benchmarks.zdt2", "ZDT3": "benchmarks.zdt3", "Fonseca": "benchmarks.fonseca"},
                 lambda p, x: getattr(benchmarks, p.lower())(x))


def botorch():
    import torch
    from botorch.test_functions.multi_objective import ZDT1, ZDT2, ZDT3
    from botorch.utils.multi_objective.hypervolume import Hypervolume
    from botorch.utils.multi_objective.pareto import is_non_dominated

    def made(f):
        return torch.tensor(-f, dtype=torch.float64)

    each_front("botorch", "Hypervolume(-r).compute(-F)", lambda f, r: Hypervolume(made(r)).compute(made(f)))
    each_set("botorch", "is_non_dominated(-F)", lambda f: np.flatnonzero(is_non_dominated(made(f)).numpy()))
    each_set("botorch", "is_non_dominated(-F, deduplicate=False)",
             lambda f: np.flatnonzero(is_non_dominated(made(f), deduplicate=False).numpy()))
    makers = {"ZDT1": ZDT1, "ZDT2": ZDT2, "ZDT3": ZDT3}
    each_problem("botorch", {z: f"{z}(dim=3)" for z in makers},
                 lambda p, x: makers[p](dim=3)(torch.tensor([x], dtype=torch.float64))[0].tolist())


def desdeo():
    from desdeo.problem import PolarsEvaluator
    from desdeo.problem.testproblems import zdt1, zdt2, zdt3
    from desdeo.tools.indicators_unary import hv
    from desdeo.tools.non_dominated_sorting import non_dominated

    makers = {"ZDT1": zdt1, "ZDT2": zdt2, "ZDT3": zdt3}

    def value(problem, x):
        made = makers[problem](3)
        out = PolarsEvaluator(made).evaluate({f"x_{i + 1}": [v] for i, v in enumerate(x)})
        return [out[o.symbol][0] for o in made.objectives]

    each_front("desdeo", "hv(F, r[0])", lambda f, r: hv(f, float(r[0])))
    each_set("desdeo", "non_dominated(F)", lambda f: np.flatnonzero(non_dominated(f)))
    each_problem("desdeo", {z: f"{z.lower()}(3)" for z in makers}, value)


def each_plan(library, calls):
    for name, (cost, a, b) in PLANS.items():
        cost, a, b = np.array(cost, dtype=float), np.array(a, dtype=float), np.array(b, dtype=float)
        reg = SHARE * (cost.max() - cost.min())
        for call, (eps, value) in calls.items():
            say("transport", name, {"cost": cost.tolist(), "a": a.tolist(), "b": b.tolist(), "eps": SHARE if eps else 0}, library, call,
                float(value(cost, a, b, reg)))


def pot():
    import ot

    tight = {"stopThr": 1e-13, "numItermax": 100000}
    entropic = {"tol": 1e-13, "max_iter": 100000}
    each_plan("POT", {
        "emd2(a, b, C)": (False, lambda c, a, b, reg: ot.emd2(a, b, c)),
        "solve(C, a, b).value": (False, lambda c, a, b, reg: ot.solve(c, a, b).value),
        "sinkhorn2(a, b, C, reg)": (True, lambda c, a, b, reg: ot.sinkhorn2(a, b, c, reg, **tight)),
        "solve(C, a, b, reg).value": (True, lambda c, a, b, reg: ot.solve(c, a, b, reg=reg, **entropic).value),
        "solve(C, a, b, reg).value_linear": (True, lambda c, a, b, reg: ot.solve(c, a, b, reg=reg, **entropic).value_linear),
        'solve(C, a, b, reg, reg_type="entropy").value':
            (True, lambda c, a, b, reg: ot.solve(c, a, b, reg=reg, reg_type="entropy", **entropic).value),
    })


def ott():
    import jax

    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp
    from ott.geometry import geometry
    from ott.problems.linear import linear_problem
    from ott.solvers.linear import sinkhorn

    def solved(c, a, b, reg):
        problem = linear_problem.LinearProblem(geometry.Geometry(cost_matrix=jnp.array(c), epsilon=reg), a=jnp.array(a), b=jnp.array(b))
        return sinkhorn.Sinkhorn(threshold=1e-13, max_iterations=100000)(problem)

    each_plan("ott-jax", {
        "Sinkhorn()(problem).reg_ot_cost": (True, lambda c, a, b, reg: solved(c, a, b, reg).reg_ot_cost),
        "Sinkhorn()(problem).primal_cost": (True, lambda c, a, b, reg: solved(c, a, b, reg).primal_cost),
        "Sinkhorn()(problem).ent_reg_cost": (True, lambda c, a, b, reg: solved(c, a, b, reg).ent_reg_cost),
        "Sinkhorn()(problem).dual_cost": (True, lambda c, a, b, reg: solved(c, a, b, reg).dual_cost),
    })


def scipy():
    from scipy.optimize import linprog

    def least(c, a, b):
        m, n = c.shape
        rows = np.kron(np.eye(m), np.ones(n))
        columns = np.kron(np.ones(m), np.eye(n))
        return linprog(c.ravel(), A_eq=np.vstack([rows, columns]), b_eq=np.concatenate([a, b])).fun

    each_plan("scipy", {"optimize.linprog(C, A_eq=sums, b_eq=a and b).fun": (False, lambda c, a, b, reg: least(c, a, b))})


if __name__ == "__main__":
    for name in sys.argv[1:]:
        globals()[name]()
