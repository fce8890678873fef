"""What a record costs, in milliseconds: a trunk of three layers, four losses, a batch of 64, one thread, the least of several times.

    python3 costs.py [-recorder other/paretolog.py]

Beside it are the backward passes in it alone, by torch.autograd.grad. No record of these is one that checks whether gradients add up."""
import argparse
import importlib.util
import os
import tempfile
import time

import torch
from torch import nn

LOSSES, BATCH, TIMES = 4, 64, 15


def least(call):
    """Seconds of the processor."""
    times = []
    for _ in range(TIMES):
        began = time.process_time()
        call()
        times.append(time.process_time() - began)
    return min(times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-recorder", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "paretolog.py"))
    path = parser.parse_args().recorder
    spec = importlib.util.spec_from_file_location("recorder", path)
    recorder = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(recorder)
    torch.set_num_threads(1)
    torch.manual_seed(0)
    print("| parameters | record | backward passes | ratio |\n|---|---|---|---|")
    for width in 64, 512, 2048:
        trunk = nn.Sequential(nn.Linear(width, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, width))
        heads = [nn.Linear(width, 1) for _ in range(LOSSES)]
        shared = trunk(torch.randn(BATCH, width))
        losses, parameters = [(head(shared) ** 2).mean() for head in heads], list(trunk.parameters())
        with tempfile.TemporaryDirectory() as folder:
            log = recorder.ParetoLog(os.path.join(folder, "run.npz"), parameters)
            log(losses)
            log.due = 1000  # nothing is written meanwhile
            record = least(lambda: log(losses))
        passes = least(lambda: [torch.autograd.grad(loss, parameters, retain_graph=True) for loss in losses])
        count = sum(p.numel() for p in parameters)
        print(f"| {count} | {1e3 * record:.2f} | {1e3 * passes:.2f} | {record / passes:.2f} |", flush=True)


if __name__ == "__main__":
    main()
