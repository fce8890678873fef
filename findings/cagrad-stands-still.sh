#!/usr/bin/env bash
# TorchJD 0.18.0, CAGrad: the direction is exactly 0, without a warning, if the gradients are short, or if a convex combination of them is
# short compared with the longest. Training stops there. The cause in both cases is norm_eps = 1e-4, which is described as "a small value
# to avoid division by zero when normalizing". CAGrad compares it with the squared lengths of the gradients themselves, so the result
# depends on the unit of the losses: two gradients of length 0.007 give a zero direction. At right angles CAGrad's direction is a positive
# multiple of the mean. If lengths span four decades, norm_eps = 0 gives CAGrad's direction to six digits, without any division by zero.
#
# Output with TorchJD 0.18.0, PyTorch 2.15.0, cvxpy 1.9.3, clarabel 0.11.1 and Python 3.11 on Linux, x86-64:
#
#     lengths 0.008: direction 6.000e-03 6.000e-03, with norm_eps=0 6.000e-03 6.000e-03
#     lengths 0.007: direction 0.000e+00 0.000e+00, with norm_eps=0 5.250e-03 5.250e-03
#     lengths over four decades: 4 of 20 directions of 30 gradients are 0, with norm_eps=0 none is
#
# The script installs some GB in a temporary folder, removes it at the end, and exits with status 1 if TorchJD behaves differently. Set
# PYTHON to a Python that already has these versions to skip the installation.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=${PYTHON:-}
if [ -z "$python" ]; then
	python3 -m venv "$folder/venv"
	python=$folder/venv/bin/python
	"$python" -m pip install --quiet --disable-pip-version-check --no-cache-dir torch==2.15.0 torchjd==0.18.0 cvxpy==1.9.3 clarabel==0.11.1
fi
cat > "$folder/cagrad.py" <<'PYTHON'
import sys
import warnings
from importlib.metadata import version

import numpy as np
import torch
from torchjd.aggregation import CAGrad

warnings.simplefilter("ignore")  # cvxpy warns at every solution
assert version("torchjd") == "0.18.0", version("torchjd")


def direction(gradients, **settings):
    return CAGrad(c=0.5, **settings)(torch.tensor(gradients, dtype=torch.float64)).numpy()


def text(d):
    return " ".join(f"{v:.3e}" for v in d)


seen = []
for length in (0.008, 0.007):
    rows = np.diag([length, length])
    d, free = direction(rows), direction(rows, norm_eps=0)
    print(f"lengths {length}: direction {text(d)}, with norm_eps=0 {text(free)}")
    seen.append((np.all(d == 0), np.all(free > 0)))
zero = [0, 0]
for draw in range(20):
    random = np.random.default_rng([30, 4, draw])
    rows = random.normal(size=(30, 40))
    rows *= (10 ** (-4 * random.uniform(size=30)) / np.linalg.norm(rows, axis=1))[:, None]
    for i, settings in enumerate(({}, {"norm_eps": 0})):
        zero[i] += bool(np.all(direction(rows, **settings) == 0))
print(f"lengths over four decades: {zero[0]} of 20 directions of 30 gradients are 0, with norm_eps=0 {zero[1] or 'none'} is")
sys.exit(not (seen == [(False, True), (True, True)] and zero[0] > 0 and zero[1] == 0))
PYTHON
"$python" -B "$folder/cagrad.py" || { echo "TorchJD 0.18.0 behaves differently than described" >&2; exit 1; }
