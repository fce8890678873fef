#!/usr/bin/env bash
# POT 0.9.7.post1, ot.emd: an optimal plan depends neither on the unit of the costs nor on a constant added to all of them, but emd
# compares costs with absolute thresholds. Random costs times 1e-14 give plans that cost up to 28 % too much, and times 1e-16 up to three
# times the minimum. In both cases emd reports an optimal plan: no warning, result code 1. With 10 subtracted from costs of 0 to 2 it
# returns a plan of zeros and warns that the problem is infeasible. As a workaround, divide costs by their range, and add a constant that
# makes them positive, before the call.
#
# Output with POT 0.9.7.post1, NumPy 2.4.6, SciPy 1.17.1 and Python 3.11 on Linux, x86-64: the worst of 20 random 10 × 10 problems in
# comparison with SciPy's linear_sum_assignment:
#
#     costs times 1e-10: 1.000 times the least cost, no warning
#     costs times 1e-14: 1.281 times the least cost, no warning
#     costs times 1e-16: 3.220 times the least cost, no warning
#     costs less 2: mass 1, warned False
#     costs less 10: mass 0, warned True
#
# The script installs POT in a temporary folder, removes it at the end, and exits with status 1 if POT behaves differently. Set PYTHON to
# a Python that already has these versions to skip the installation.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=${PYTHON:-}
if [ -z "$python" ]; then
	python3 -m venv "$folder/venv"
	python=$folder/venv/bin/python
	"$python" -m pip install --quiet --disable-pip-version-check --no-cache-dir POT==0.9.7.post1 numpy==2.4.6 scipy==1.17.1
fi
cat > "$folder/unit.py" <<'PYTHON'
import sys
import warnings

import numpy as np
import ot
from scipy.optimize import linear_sum_assignment

masses = np.full(10, 0.1)


def worst(unit):
    """The largest ratio of a plan's cost to the least, and whether emd warned."""
    draw = np.random.default_rng(1)
    ratio, warned = 1.0, False
    for _ in range(20):
        cost = draw.random((10, 10))
        rows, columns = linear_sum_assignment(cost)
        plan, log = ot.emd(masses, masses, cost * unit, log=True)
        ratio = max(ratio, (plan * cost).sum() / (cost[rows, columns].sum() / 10))
        warned = warned or log["warning"] is not None
    return ratio, warned


same = True
for unit, wrong in [(1e-10, False), (1e-14, True), (1e-16, True)]:
    ratio, warned = worst(unit)
    print(f"costs times {unit:.0e}: {ratio:.3f} times the least cost, {'a' if warned else 'no'} warning")
    same = same and (ratio > 1.01) == wrong and not warned
for constant, lost in [(2, False), (10, True)]:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        plan = ot.emd([0.2, 0.3, 0.5], [0.5, 0.3, 0.2], np.array([[0, 1, 2], [1, 0, 1], [2, 1, 0]]) - float(constant))
    print(f"costs less {constant}: mass {plan.sum():g}, warned {len(said) > 0}")
    same = same and (plan.sum() == 0) == lost == (len(said) > 0)
sys.exit(not same)
PYTHON
"$python" -B "$folder/unit.py" || { echo "POT 0.9.7.post1 behaves differently than described" >&2; exit 1; }
