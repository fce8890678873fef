#!/usr/bin/env bash
# BoTorch 0.18.1, Hypervolume: if points have equal coordinates, the volume for four or more objectives can be too small. Take the three
# points (2,2,2,2), (3,1,2,3) and (2,2,2,1), to be minimised, and the reference (4,4,4,4). They dominate 26 of the unit cells between them
# and the reference. BoTorch maximises, so it gets their negatives; it returns 22. The third point dominates the first. Sets of integers,
# such as counts or rounded measurements, often have such ties.
#
# Output with BoTorch 0.18.1, PyTorch 2.15.0 and Python 3.11 on Linux, x86-64. The last line is for random sets of three to six points:
#
#     three points: BoTorch 22, cells 26
#     sets of integers from 0 to 3: 2 objectives 0 of 1500 wrong, 3 objectives 0 of 1500 wrong, 4 objectives 11 of 1500 wrong, 5 objectives 10 of 1500 wrong
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
"$python" -B "$folder/ties.py" || { echo "BoTorch 0.18.1 behaves differently than described" >&2; exit 1; }
