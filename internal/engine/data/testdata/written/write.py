"""Writes the files of this folder with the libraries of requirements.txt, and written.json, which says what each holds.

    python -m venv v && v/bin/pip install -r requirements.txt && v/bin/python write.py
"""

import json
import pickle

import numpy as np

FRONT = np.array([[0.0, 1.0], [0.125, 0.64644660940672627], [0.25, 0.5], [1 / 3, 0.42264973081037427], [0.5, 0.29289321881345254], [1.0, 0.0]])
holds = {}


def note(name, library, data=None, refused=None, **more):
    """Says what a file holds, or with which words it is refused."""
    holds[name] = {"library": library, "data": None if data is None else np.asarray(data).tolist(), "refused": refused, **more}


def of_numpy():
    np.savetxt("numpy-savetxt.txt", FRONT)
    note("numpy-savetxt.txt", "numpy", FRONT)
    np.savetxt("numpy-savetxt.csv", FRONT, delimiter=",", header="f1,f2")
    note("numpy-savetxt.csv", "numpy", FRONT, names=["f1", "f2"])
    np.save("numpy-save.npy", FRONT)
    note("numpy-save.npy", "numpy", FRONT)
    np.save("numpy-fortran.npy", np.asfortranarray(FRONT.astype(np.float32)))
    note("numpy-fortran.npy", "numpy", FRONT.astype(np.float32).astype(float))
    np.save("numpy-half.npy", FRONT.astype(np.float16))
    note("numpy-half.npy", "numpy", refused="save it as a.astype('<f4')")
    np.save("numpy-bool.npy", FRONT > 0.5)
    note("numpy-bool.npy", "numpy", refused="save it as a.astype('<f4')")
    np.save("numpy-list.npy", FRONT[:, 0])
    note("numpy-list.npy", "numpy", refused="save it as a.reshape(1, -1) or a.reshape(-1, 1)")
    np.savez("numpy-savez.npz", F=FRONT, X=FRONT[:, :1])
    note("numpy-savez.npz", "numpy", FRONT, part="F")
    np.savez_compressed("numpy-one.npz", F=FRONT)
    note("numpy-one.npz", "numpy", FRONT)
    for name, text in (("numpy-repr.txt", repr(FRONT)), ("numpy-str.txt", str(FRONT))):
        with open(name, "w") as f:
            f.write(text + "\n")
        note(name, "numpy", FRONT, digits=8)
    with open("numpy-long.txt", "w") as f:
        f.write(str(np.arange(4000.0).reshape(2000, 2)))
    note("numpy-long.txt", "numpy", refused="NumPy left numbers out")
    with open("pickle.pkl", "wb") as f:
        pickle.dump(FRONT, f)
    note("pickle.pkl", "pickle", refused="a pickle of Python; write the array with numpy.savetxt")


def of_pandas():
    import pandas as pd

    table = pd.DataFrame(FRONT, columns=["f1", "f2"])
    table.to_csv("pandas-index.csv")
    table.to_csv("pandas.csv", index=False)
    table.to_csv("pandas-comma.csv", index=False, sep=";", decimal=",")
    table.to_csv("pandas.tsv", sep="\t")
    table.to_json("pandas-records.json", orient="records", indent=2, double_precision=15)
    for name in ("pandas-index.csv", "pandas.csv", "pandas-comma.csv", "pandas.tsv"):
        note(name, "pandas", FRONT, names=["f1", "f2"])
    note("pandas-records.json", "pandas", FRONT, names=["f1", "f2"], digits=15)
    table.to_excel("openpyxl.xlsx", index=False)
    note("openpyxl.xlsx", "openpyxl", refused="a spreadsheet (.xlsx or .ods); save it as CSV")


def of_polars():
    import polars as pl

    table = pl.DataFrame({"f1": FRONT[:, 0], "f2": FRONT[:, 1]})
    table.write_csv("polars.csv")
    table.write_csv("polars-comma.csv", separator=";", decimal_comma=True)
    table.write_json("polars.json")
    for name in ("polars.csv", "polars-comma.csv", "polars.json"):
        note(name, "polars", FRONT, names=["f1", "f2"])


def of_scipy():
    import scipy.io

    scipy.io.savemat("scipy.mat", {"F": FRONT})
    note("scipy.mat", "scipy", refused="a MATLAB file (.mat); write a matrix of it with writematrix")


def of_h5py():
    import h5py

    with h5py.File("h5py.h5", "w") as f:
        f["F"] = FRONT[:2]
    note("h5py.h5", "h5py", refused="an HDF5 file (.h5, .mat of MATLAB 7.3); write an array of it with numpy.savetxt")


def of_pymoo():
    from pymoo.algorithms.moo.nsga2 import NSGA2
    from pymoo.optimize import minimize
    from pymoo.problems import get_problem

    result = minimize(get_problem("zdt1", n_var=3), NSGA2(pop_size=8), ("n_gen", 4), seed=1)
    np.savetxt("pymoo-F.dat", result.F)
    note("pymoo-F.dat", "pymoo", result.F)
    np.savez("pymoo.npz", F=result.F, X=result.X)
    note("pymoo.npz", "pymoo", result.X, part="X")


def of_moocore():
    import moocore

    path = moocore.get_dataset_path("input1.dat")
    with open(path) as f:
        lines = f.read().split("\n")
    blank = [i for i, line in enumerate(lines) if not line.strip()]
    ends = [i for i in blank if i > 0 and i - 1 not in blank]  # of runs
    with open("moocore-input1.dat", "w") as f:
        f.write("\n".join(lines[: ends[2]]) + "\n")
    sets = moocore.read_datasets("moocore-input1.dat")
    note("moocore-input1.dat", "moocore", sets[sets[:, -1] == 2][:, :-1], part="2")
    np.savetxt("moocore-sets.csv", sets, delimiter=",")
    note("moocore-sets.csv", "moocore", sets[:, :-1], columns=["1", "2"])


def of_optuna():
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(directions=["minimize", "minimize"], sampler=optuna.samplers.RandomSampler(seed=1))

    def objective(trial):
        x = trial.suggest_float("x", 0, 1)
        if trial.number == 2:
            raise ValueError
        return x, 1 - x**0.5

    study.optimize(objective, n_trials=6, catch=(ValueError,))
    study.trials_dataframe().to_csv("optuna-trials.csv")
    note("optuna-trials.csv", "optuna", [t.values for t in study.trials if t.values], names=["values_0", "values_1"])


def of_jmetal():
    from jmetal.problem import ZDT1
    from jmetal.util.solution import print_function_values_to_file, print_variables_to_file
    import random

    random.seed(1)
    problem = ZDT1(3)
    solutions = [problem.evaluate(problem.create_solution()) for _ in range(5)]
    print_function_values_to_file(solutions, "jmetalpy-FUN")
    print_variables_to_file(solutions, "jmetalpy-VAR")
    note("jmetalpy-FUN", "jmetalpy", [s.objectives for s in solutions])
    note("jmetalpy-VAR", "jmetalpy", [s.variables for s in solutions])


def of_deap():
    from deap import base, tools

    logbook = tools.Logbook()
    for gen in range(4):
        logbook.record(gen=gen, best=float(FRONT[gen, 0]), mean=float(FRONT[gen, 1]))
    with open("deap-logbook.txt", "w") as f:
        f.write(str(logbook) + "\n")
    note("deap-logbook.txt", "deap", [[FRONT[g, 0], g, FRONT[g, 1]] for g in range(4)], names=["best", "gen", "mean"], digits=6)


for write in (of_numpy, of_pandas, of_polars, of_scipy, of_h5py, of_pymoo, of_moocore, of_optuna, of_jmetal, of_deap):
    write()
with open("written.json", "w") as f:
    json.dump(holds, f, indent=1, sort_keys=True)
    f.write("\n")
