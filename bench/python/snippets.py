"""Runs every program of docs/python.md unchanged, after the data and the network at the top of the page.

    python snippets.py [LIBMTL]

LIBMTL is a folder with LibMTL's repository, whose trainer has "cpu" instead of "cuda:0". Programs that import a missing package are skipped
and named. For trainings it prints how many lines end in #, and the losses before and after.
"""

import pathlib
import re
import sys
import time

sys.path[:0] = sys.argv[1:2]
text = (pathlib.Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
setup = next(b for b in blocks if "manual_seed" in b)
failed = False
for block in blocks:
    if block is setup:
        continue
    space = {"__name__": "snippet"}
    exec(setup, space)

    def losses():
        z = space["trunk"](space["x"])
        return [round((h(z) - y).square().mean().item(), 4) for h, y in zip(space["heads"], space["y"])]

    before, begin = losses(), time.perf_counter()
    title = next(line for line in block.splitlines() if line.startswith(("import", "from")))
    try:
        exec(block, space)
    except ModuleNotFoundError as e:
        print(f"LEFT OUT: {title}: {e}", flush=True)
        continue
    after = losses()
    took = f"{title}: {time.perf_counter() - begin:.1f} s"
    if "lr=0.01" not in block:
        print(took, flush=True)
        continue
    lines = len(re.findall(r"  #", block))
    print(f"{took}, {lines} lines changed, losses {before} to {after}", flush=True)
    if lines >= 10 or any(a >= b for a, b in zip(after, before)):
        print("  failed: it changes ten lines or more, or a loss did not fall")
        failed = True
sys.exit(failed)
