#!/usr/bin/env bash
# BoTorch 0.18.1, Hypervolume: with equal coordinates the volume of four or more objectives can be too small. Three points, (2,2,2,2),
# (3,1,2,3) and (2,2,2,1), to be minimised up to (4,4,4,4), dominate 26 of the unit cells between them and the reference; BoTorch, which
# maximises and so is given their negatives, returns 22. The first point is dominated by the third. Sets of integers, such as counts or
# rounded measurements, have such ties.
#
# Seen, with BoTorch 0.18.1, PyTorch 2.15.0 and Python 3.11 on Linux, x86-64; the last line is of random sets of three to six points:
#
#     three points: BoTorch 22, cells 26
#     sets of integers from 0 to 3: 2 objectives 0 of 1500 wrong, 3 objectives 0 of 1500 wrong, 4 objectives 11 of 1500 wrong, 5 objectives 10 of 1500 wrong
#
# It installs some GB in a folder of its own, which goes at the end, and ends with status 1 if BoTorch behaves otherwise. PYTHON may name
# a Python that has these versions already.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=${PYTHON:-}
if [ -z "$python" ]; then
	python3 -m venv "$folder/venv"
	python=$folder/venv/bin/python
	"$python" -m pip install --quiet --disable-pip-version-check --no-cache-dir torch==2.15.0 botorch==0.18.1
fi
cat > "$folder/ties.py" <<'PYTHON'
import sys
import warnings

warnings.simplefilter("ignore")
import numpy as np
import torch
from botorch.utils.multi_objective.hypervolume import Hypervolume


def theirs(points):
    reference = torch.full((points.shape[1],), -4.0, dtype=torch.float64)
    return Hypervolume(reference).compute(torch.tensor(-points, dtype=torch.float64))


def cells(points):
    """How many unit cells below (4, 4, …) are dominated: the exact volume of a set of integers."""
    grid = np.indices((4,) * points.shape[1]).reshape(points.shape[1], -1).T
    return int((points[:, None, :] <= grid[None, :, :]).all(axis=2).any(axis=0).sum())


three = np.array([[2, 2, 2, 2], [3, 1, 2, 3], [2, 2, 2, 1]])
print(f"three points: BoTorch {theirs(three):g}, cells {cells(three)}")
draw = np.random.default_rng(1)
wrong = {}
for objectives in (2, 3, 4, 5):
    sets = [draw.integers(0, 4, (draw.integers(3, 7), objectives)) for _ in range(1500)]
    wrong[objectives] = sum(abs(theirs(s) - cells(s)) > 1e-9 for s in sets)
print("sets of integers from 0 to 3: " + ", ".join(f"{m} objectives {n} of 1500 wrong" for m, n in wrong.items()))
sys.exit(not (theirs(three) == 22 and cells(three) == 26 and wrong[2] == wrong[3] == 0 and wrong[4] > 0 and wrong[5] > 0))
PYTHON
"$python" -B "$folder/ties.py" || { echo "BoTorch 0.18.1 behaves otherwise than seen" >&2; exit 1; }
