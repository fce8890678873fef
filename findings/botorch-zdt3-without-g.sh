#!/usr/bin/env bash
# BoTorch 0.18.1, test problem ZDT3: the second objective lacks the factor g. Zitzler, Deb and Thiele (2000) define ZDT3 as f1 = x1 and f2
# = g · (1 − √(f1/g) − (f1/g) sin(10π f1)), where g = 1 + 9 Σ(x2 … xd)/(d − 1). BoTorch's ZDT1 and ZDT2 multiply by g; its ZDT3 returns
# the bracket alone, and its docstring has the formula without g too. On the Pareto set g is 1, and the fault does not show. Elsewhere f2
# is too small: at x = (0, 0.5, 0.5) it is 1 instead of 5.5. A run therefore looks much nearer to the front than it is, and hypervolumes
# of early populations are too large.
#
# Output with BoTorch 0.18.1, PyTorch 2.15.0, pymoo 0.6.2 and Python 3.11 on Linux, x86-64:
#
#     x = (0.2, 0.4, 0.6): BoTorch f2 = 0.8093, pymoo f2 = 4.4512, g = 5.5
#     x = (0, 0.5, 0.5): BoTorch f2 = 1.0000, pymoo f2 = 5.5000, g = 5.5
#     x = (0.85, 0, 0): BoTorch f2 = -0.7720, pymoo f2 = -0.7720, g = 1.0
#
# The script installs some GB in a temporary folder, removes it at the end, and exits with status 1 if BoTorch behaves differently. Set
# PYTHON to a Python that already has these versions to skip the installation.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=${PYTHON:-}
if [ -z "$python" ]; then
	python3 -m venv "$folder/venv"
	python=$folder/venv/bin/python
	"$python" -m pip install --quiet --disable-pip-version-check --no-cache-dir torch==2.15.0 botorch==0.18.1 pymoo==0.6.2
fi
cat > "$folder/zdt3.py" <<'PYTHON'
import sys
import warnings

warnings.simplefilter("ignore")
import numpy as np
import torch
from botorch.test_functions.multi_objective import ZDT3
from pymoo.problems import get_problem

same = True
for x in [(0.2, 0.4, 0.6), (0, 0.5, 0.5), (0.85, 0, 0)]:
    g = 1 + 9 * sum(x[1:]) / 2
    theirs = ZDT3(dim=3)(torch.tensor([x], dtype=torch.float64))[0, 1].item()
    defined = get_problem("zdt3", n_var=3).evaluate(np.array(x, dtype=float))[1]
    print(f"x = {x}: BoTorch f2 = {theirs:.4f}, pymoo f2 = {defined:.4f}, g = {g}")
    same = same and abs(theirs * g - defined) < 1e-9
sys.exit(not same)
PYTHON
"$python" -B "$folder/zdt3.py" || { echo "BoTorch 0.18.1 behaves differently than described" >&2; exit 1; }
