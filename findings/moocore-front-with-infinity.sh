#!/usr/bin/env bash
# moocore 0.3.2, is_nondominated: with three or more objectives, the result for points with an infinite coordinate can be wrong, without a
# warning. Of (2,2,0) and (inf,1,inf), to be minimised, neither dominates the other, since 1 < 2, but moocore drops the second. Of
# (inf,0,1), (inf,1,0) and (inf,1,1) it keeps only the second, although no point dominates the first. Failed or infeasible evaluations
# often have the value infinity. pymoo 0.6.2 sorts with moocore, and returns the same.
#
# Output with moocore 0.3.2, NumPy 2.4.6 and Python 3.11 on Linux, x86-64, next to a comparison of each pair. The last line is for 1000
# random sets of two to five points each, with a fifth of the coordinates infinite:
#
#     [[2, 2, 0], [inf, 1, inf]]: moocore keeps [0], pairs [0, 1]
#     [[inf, 0, 1], [inf, 1, 0], [inf, 1, 1]]: moocore keeps [1], pairs [0, 1]
#     random sets: 2 objectives 0 of 1000 wrong, 3 objectives 82 of 1000 wrong, 4 objectives 150 of 1000 wrong
#
# The script installs moocore in a temporary folder, removes it at the end, and exits with status 1 if moocore behaves differently. Set
# PYTHON to a Python that already has these versions to skip the installation.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=${PYTHON:-}
if [ -z "$python" ]; then
	python3 -m venv "$folder/venv"
	python=$folder/venv/bin/python
	"$python" -m pip install --quiet --disable-pip-version-check --no-cache-dir moocore==0.3.2 numpy==2.4.6
fi
cat > "$folder/infinity.py" <<'PYTHON'
import sys

import moocore
import numpy as np

inf = float("inf")


def theirs(points):
    return np.flatnonzero(moocore.is_nondominated(points, keep_weakly=True)).tolist()


def pairs(points):
    """The points that no other is at least as good as everywhere and better than somewhere."""
    return [i for i, p in enumerate(points) if not any((q <= p).all() and (q < p).any() for q in points)]


same = True
for points, kept, right in [([[2, 2, 0], [inf, 1, inf]], [0], [0, 1]), ([[inf, 0, 1], [inf, 1, 0], [inf, 1, 1]], [1], [0, 1])]:
    array = np.array(points, dtype=float)
    print(f"{points}: moocore keeps {theirs(array)}, pairs {pairs(array)}")
    same = same and theirs(array) == kept and pairs(array) == right
draw = np.random.default_rng(0)
wrong = {}
for objectives in (2, 3, 4):
    wrong[objectives] = 0
    for _ in range(1000):
        points = draw.integers(0, 3, (draw.integers(2, 6), objectives)).astype(float)
        points[draw.random(points.shape) < 0.2] = inf
        wrong[objectives] += theirs(points) != pairs(points)
print("random sets: " + ", ".join(f"{m} objectives {n} of 1000 wrong" for m, n in wrong.items()))
sys.exit(not (same and wrong[2] == 0 and wrong[3] > 0 and wrong[4] > 0))
PYTHON
"$python" -B "$folder/infinity.py" || { echo "moocore 0.3.2 behaves differently than described" >&2; exit 1; }
