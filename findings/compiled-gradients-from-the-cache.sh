#!/usr/bin/env bash
# PyTorch 2.15.0, torch.compile on a processor: torch._functorch.config.donated_buffer = False is the documented way to run a compiled
# backward pass more than once (retain_graph=True). The setting is part of the key of AOTAutograd's cache, but not of the key of
# Inductor's cache on disk. After a run without the setting in an earlier process, that cache returns a backward pass that overwrites
# saved tensors. The second pass then raises no error and returns other gradients than the first, here with an error of a fifth. With an
# empty cache, or another torch.compiler.config.cache_key_tag, both passes agree.
#
# Output with PyTorch 2.15.0 and Python 3.11 on Linux, x86-64:
#
#     empty cache: the passes differ by 0.0
#     after a run without the setting: the passes differ by 0.1994590163230896
#     the same with another key: the passes differ by 0.0
#
# The script installs some GB in a temporary folder, removes it at the end, and exits with status 1 if PyTorch behaves differently. Set
# PYTHON to a Python that already has PyTorch 2.15.0 to skip the installation. It needs a C++ compiler.
set -euo pipefail

version=2.15.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=${PYTHON:-}
if [ -z "$python" ]; then
	python3 -m venv "$folder/venv"
	python=$folder/venv/bin/python
	"$python" -m pip install --quiet --disable-pip-version-check --no-cache-dir "torch==$version" numpy
fi
cat > "$folder/passes.py" <<'PYTHON'
import sys

import torch
from torch._functorch import config

how = sys.argv[1]
assert torch.__version__.partition("+")[0] == sys.argv[2], torch.__version__
if how != "plain":
    config.donated_buffer = False
if how == "key":
    torch.compiler.config.cache_key_tag += "another"
torch.manual_seed(0)
network = torch.nn.Sequential(torch.nn.Linear(6, 16), torch.nn.Tanh(), torch.nn.LayerNorm(16), torch.nn.Linear(16, 8))
parameters = list(network.parameters())
loss = (torch.compile(network)(torch.randn(20, 6)) ** 2).mean()
if how == "plain":
    loss.backward()
else:
    one, two = (torch.autograd.grad(loss, parameters, retain_graph=True) for _ in range(2))
    print(max(((a - b).norm() / a.norm()).item() for a, b in zip(one, two)))
PYTHON

passes() { # cache, how
	TORCHINDUCTOR_CACHE_DIR=$folder/$1 OMP_NUM_THREADS=1 "$python" -B "$folder/passes.py" "$2" "$version"
}
empty=$(passes empty setting)
passes used plain
after=$(passes used setting)
key=$(passes used key)
echo "empty cache: the passes differ by $empty"
echo "after a run without the setting: the passes differ by $after"
echo "the same with another key: the passes differ by $key"
"$python" -c 'import sys; empty, after, key = map(float, sys.argv[1:]); sys.exit(not (empty < 1e-6 and after > 1e-2 and key < 1e-6))' \
	"$empty" "$after" "$key" || { echo "PyTorch $version behaves differently than described" >&2; exit 1; }
