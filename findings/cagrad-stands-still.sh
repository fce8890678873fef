#!/usr/bin/env bash
# TorchJD 0.18.0, CAGrad: the direction is exactly 0 where the gradients are short, or where a mixture of them is short beside the longest,
# without a word: the training stands still there. Both are decided by norm_eps = 1e-4, which is described as "a small value to avoid
# division by zero when normalizing". The squared lengths of all gradients are compared with it as they are, so that a loss in other units
# decides otherwise: two gradients of length 0.007 have none that moves. At right angles CAGrad's direction is a positive multiple of
# the mean. Where lengths span four decades, norm_eps = 0 gives CAGrad's direction to six digits: nothing divides by zero.
#
# Seen, with TorchJD 0.18.0, PyTorch 2.15.0, cvxpy 1.9.3, clarabel 0.11.1 and Python 3.11 on Linux, x86-64:
#
#     lengths 0.008: direction 6.000e-03 6.000e-03, with norm_eps=0 6.000e-03 6.000e-03
#     lengths 0.007: direction 0.000e+00 0.000e+00, with norm_eps=0 5.250e-03 5.250e-03
#     lengths over four decades: 4 of 20 directions of 30 gradients are 0, with norm_eps=0 none is
#
# It installs some GB in a folder of its own, which goes at the end, and ends with status 1 if TorchJD behaves otherwise. PYTHON may name
# a Python that has these versions already.
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

warnings.simplefilter("ignore")  # of cvxpy, at every solution
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
"$python" -B "$folder/cagrad.py" || { echo "TorchJD 0.18.0 behaves otherwise than seen" >&2; exit 1; }
