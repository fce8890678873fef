"""Tries the recorder on a GPU: what only happens there. It takes some minutes on one GPU, and stops by itself after four.

    python3 gpu_check.py

prints a line for each check, and ends with status 1 if one fails, with 2 if there is no GPU. Each check runs in a process of its own,
with a compiler's cache of its own, since compiled models remember."""
import os
import subprocess
import sys
import tempfile
import time
import warnings

import numpy
import torch
from torch import nn

from paretolog import ParetoLog

LIMIT = 230  # seconds for all checks
MODES = ["default", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune"]


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(64, 256), nn.LayerNorm(256), nn.GELU(), nn.Dropout(0.1), nn.Linear(256, 128), nn.Tanh())
        self.heads = nn.ModuleList(nn.Linear(128, 1) for _ in range(3))

    def losses(self, trunk, x):
        shared = trunk(x)
        return [(head(shared)[:, 0] - x[:, i]).float().pow(2).mean() for i, head in enumerate(self.heads)]


def train(record, context=None, scaler=None, steps=8, wrap=lambda trunk: trunk, cross=True):
    """Returns the parameters after some steps, and the recorder. record: makes one, or None."""
    torch.manual_seed(0)
    model = Network().cuda()
    log = record(model)
    trunk = wrap(model.trunk)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
    x = torch.randn(2 * steps, 128, 64, device="cuda", generator=torch.Generator("cuda").manual_seed(1))
    for k in range(steps):
        with context() if context else torch.enable_grad():
            losses = model.losses(trunk, x[2 * k])
            second = lambda: scaled(model.losses(trunk, x[2 * k + 1]))
        scaled = lambda losses: [scaler.scale(loss) for loss in losses] if scaler else losses
        if log:
            with context() if context else torch.enable_grad():
                log(scaled(losses), scale=scaler.get_scale() if scaler else 1, cross=second if cross else None)
        optimizer.zero_grad()
        if scaler:
            scaler.scale(sum(losses)).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            sum(losses).backward()
            optimizer.step()
    return [p.detach().clone() for p in model.parameters()] + [torch.cuda.get_rng_state()], log


def new(model):
    return ParetoLog(os.path.join(tempfile.mkdtemp(), "run.npz"), model.trunk, model=model)


def same(a, b):
    assert len(a) == len(b) and all(torch.equal(p, q) for p, q in zip(a, b)), "the recorder changes the run"


def gramians_agree(log, reference, tolerance):
    """Of the first records, which come from the same parameters."""
    assert log.rows and not log.left_out, log.left_out
    apart = abs(log.rows[0]["gramian"] - reference.rows[0]["gramian"]).max() / abs(reference.rows[0]["gramian"]).max()
    assert apart < tolerance, f"the Gramian is off by {apart:.1e}"
    return f"the Gramian agrees to {apart:.1e}, {len(log.rows)} records"


def plain():
    before, _ = train(lambda model: None)
    after, log = train(new)
    same(before, after)
    return f"{len(log.rows)} records, the run is the same to the bit"


def autocast(kind):
    context = lambda: torch.autocast("cuda", kind)
    before, _ = train(lambda model: None, context)
    after, log = train(new, context)
    same(before, after)
    return gramians_agree(log, train(new, cross=False)[1], 0.1)


def scaler():
    make = lambda: torch.amp.GradScaler("cuda", init_scale=2.0 ** 16, growth_interval=3)
    context = lambda: torch.autocast("cuda", torch.float16)
    before, _ = train(lambda model: None, context, make())
    after, log = train(new, context, make())
    same(before, after)
    plain = train(new, context)[1]
    for a, b in zip(log.rows[:1], plain.rows[:1]):
        assert abs(numpy.array(a["losses"]) / b["losses"] - 1).max() < 1e-2
    return gramians_agree(log, plain, 0.1)


def compiled(mode):
    """The recorder first. Dropout draws other numbers in a compiled model, so the reference has none."""
    wrap = lambda trunk: torch.compile(trunk.eval(), mode=None if mode == "default" else mode)
    before, _ = train(lambda model: None, wrap=wrap, cross=False)
    torch._dynamo.reset()
    after, log = train(new, wrap=wrap, cross=False)
    reference = train(new, wrap=lambda trunk: trunk.eval(), cross=False)[1]
    for a, b in zip(before[:-1], after[:-1]):
        assert torch.allclose(a, b, rtol=1e-4, atol=1e-5), "the recorder changes the run"
    return gramians_agree(log, reference, 1e-3)


def late():
    """CUDA graphs that were compiled before the recorder was made: said at once, and no wrong record is kept."""
    torch.manual_seed(0)
    model = Network().cuda().eval()
    trunk, x = torch.compile(model.trunk, mode="reduce-overhead"), torch.randn(128, 64, device="cuda")
    for _ in range(3):
        torch.compiler.cudagraph_mark_step_begin()
        sum(model.losses(trunk, x)).backward()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        log = new(model)
        try:
            torch.compiler.cudagraph_mark_step_begin()
            log(model.losses(trunk, x))
            how = f"{len(log.rows)} records, {sum(map(len, log.left_out.values()))} left out"
        except RuntimeError as error:
            how = f"PyTorch refuses: {str(error)[:60]}"
    assert any("compiled before" in str(warning.message) for warning in said), "it was not said before the run"
    if log.rows:
        reference = new(model)
        reference(model.losses(model.trunk, x))
        return gramians_agree(log, reference, 1e-3)
    return how


CHECKS = {"plain": plain, "autocast bfloat16": lambda: autocast(torch.bfloat16), "autocast float16": lambda: autocast(torch.float16),
          "scaler": scaler, **{f"compiled {mode}": lambda mode=mode: compiled(mode) for mode in MODES}, "compiled too early": late}


def main():
    if len(sys.argv) > 1:
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
        print(CHECKS[sys.argv[1]]())
        return 0
    if not torch.cuda.is_available():
        print("there is no GPU here, so nothing was checked", file=sys.stderr)
        return 2
    print(f"PyTorch {torch.__version__}, {torch.cuda.get_device_name()}")
    began, failed = time.monotonic(), 0
    for name in CHECKS:
        with tempfile.TemporaryDirectory() as cache:
            try:
                left, own = max(LIMIT - (time.monotonic() - began), 1), {**os.environ, "TORCHINDUCTOR_CACHE_DIR": cache}
                run = subprocess.run([sys.executable, "-B", "-W", "ignore", __file__, name], capture_output=True, text=True, timeout=left, env=own)
                right, said = run.returncode == 0, (run.stdout if run.returncode == 0 else run.stderr).strip().splitlines()[-1:]
            except subprocess.TimeoutExpired:
                right, said = False, ["there was no time left"]
        failed += not right
        print(f"{'right' if right else 'WRONG'}  {name}: {' '.join(said)}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
