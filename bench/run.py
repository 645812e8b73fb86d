#!/usr/bin/env python3
"""All figures in one table.

    .venv/bin/python bench/run.py [--build BUILD] [--only NAME ...]

Kernels: share of the machine's multiply-add peak, in one process. Models:
speed as a ratio to onnxruntime, medians of alternating turns of two processes
of which one is idle. Then what the compiler needs and what it makes. Exits with
1 when a figure does not hold what is wanted of it.
"""

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

import numpy as np
import onnx
from onnx import helper

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "test" / "support"), str(ROOT / "test" / "models")]
import artifact
import liveset
import models
import tools as toolbox

MODELS = {"resnet50": {}, "mobilenet_v3_large": {}, "bert_base": {"batch": 1, "seq": 128}}
COMPILED_ONLY = ["gpt2"]
MEBI = 1 << 20


class Table:
    """Rows of a figure, its value and what is wanted of it."""

    def __init__(self):
        self.rows = []

    def add(self, figure, value, wanted="", holds=None):
        mark = {True: "yes", False: "NO", None: ""}[holds]
        self.rows.append((figure, value, wanted, mark))
        print(f"{figure}: {value}", file=sys.stderr, flush=True)

    def print(self):
        rows = [("figure", "value", "wanted", "holds"), *self.rows]
        widths = [max(len(row[i]) for row in rows) for i in range(4)]
        rows.insert(1, tuple("-" * w for w in widths))
        for row in rows:
            print("| " + " | ".join(cell.ljust(w) for cell, w in zip(row, widths)) + " |")

    def failed(self):
        """The figures that do not hold."""
        return [figure for figure, _, _, mark in self.rows if mark == "NO"]


class Side:
    """A worker process that runs when asked."""

    def __init__(self, kind, path, data, threads):
        self.process = subprocess.Popen(
            [sys.executable, ROOT / "bench" / "worker.py", kind, path, data, str(threads)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline().strip() != "ready":
            raise SystemExit(f"{kind} cannot run {path}")

    def measure(self, runs):
        self.process.stdin.write(f"{runs}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def speed_ratio(library, path, data, threads, turns):
    """How many times as fast as onnxruntime the compiled model is."""
    sides = [Side("onnxc", library, data, threads), Side("onnxruntime", path, data, threads)]
    times = [[], []]
    for turn in range(turns):
        for side in (0, 1) if turn % 2 else (1, 0):
            time.sleep(0.2)  # let the other side's pool fall asleep
            runs = max(3, int(0.4 / times[side][-1])) if times[side] else 3
            times[side].append(sides[side].measure(runs))
    for side in sides:
        side.close()
    return statistics.median(times[1]) / statistics.median(times[0])


# The kernels whose share of the peak is a requirement.
GATED_KERNELS = {"gemm 512x512x512", "conv 3x3/1 56x56 64->64", "conv 3x3/1 14x14 256->256"}


KERNEL_LINE = re.compile(r"(?P<name>\S.*?)\s+(?P<share>\d+\.\d+) \([^)]*\).*?"
                         r"(?P<spills>\d+) spills \d+ moves  #rt\.\w+<.*>$")


def bench_kernels(table, build):
    program = build / "bin" / "bench-kernels"
    result = subprocess.run([program], text=True, stdout=subprocess.PIPE)
    if result.returncode != 0:
        raise SystemExit(f"{program} ended with {result.returncode}")
    missing = set(GATED_KERNELS)
    for line in result.stdout.splitlines()[1:]:
        match = KERNEL_LINE.match(line)
        if not match:
            raise SystemExit(f"{program}: cannot read the line '{line}'")
        name, share, spills = match["name"], float(match["share"]), int(match["spills"])
        gated = name in GATED_KERNELS
        missing.discard(name)
        table.add(f"{name}: share of peak", f"{share:.2f} {spills} spills",
                  ">= 0.80, 0 spills" if gated else "",
                  share >= 0.80 and spills == 0 if gated else None)
    if missing:
        raise SystemExit(f"{program} did not measure {', '.join(sorted(missing))}")


def initializer_bytes(path):
    model = onnx.load(path)
    return sum(len(t.raw_data) or onnx.numpy_helper.to_array(t).nbytes
               for t in model.graph.initializer)


def bench_compile(table, tools, name, path, library):
    result = tools.compile(path, library, "--name=model", timeout=900)
    if result.code != 0:
        raise SystemExit(f"{name}: {result.how_it_failed()}")
    limit = {"resnet50": 20, "bert_base": 40}.get(name)
    table.add(f"{name}: compile time", f"{result.seconds:.1f} s", f"<= {limit} s" if limit else "",
              result.seconds <= limit if limit else None)
    allowed = 3 * initializer_bytes(path) + 500_000_000
    table.add(f"{name}: compiler's peak memory", f"{result.peak_bytes // MEBI} MiB",
              f"<= {allowed // MEBI} MiB", result.peak_bytes <= allowed)


def live_set(tools, path, library, inputs):
    """The largest live set and the workspace, in bytes, of a build with all dims fixed."""
    shapes = [f"--shapes={name}:{'x'.join(map(str, value.shape))}" for name, value in inputs.items()]
    result = tools.compile(path, library.with_suffix(".fixed.so"), "--report", *shapes, timeout=900)
    if result.code != 0:
        raise SystemExit(f"{path}: {result.how_it_failed()}")
    found = dict(re.findall(r"^(.*): (\d+) bytes$", result.output, re.MULTILINE))
    return int(found["largest live set"]), int(found["workspace"])


def bench_artifact(table, tools, name, path, library, inputs):
    model = artifact.Model(library, "model")
    code = os.path.getsize(library) - model.descriptor.weights_bytes
    table.add(f"{name}: artifact without weights", f"{code / 1e6:.2f} MB", "<= 1 MB", code <= 1e6)
    stored = model.descriptor.weights_bytes / initializer_bytes(path)
    table.add(f"{name}: stored weights to initializers", f"{stored:.2f}", "<= 1.15", stored <= 1.15)
    arrays = [inputs[v.name.decode()] for v in model.inputs]
    workspace = artifact.Inference(model, arrays).call.workspace_bytes
    live, planned = live_set(tools, path, library, inputs)
    table.add(f"{name}: workspace", f"{workspace / 1e6:.2f} MB",
              f"<= {1.3 * live / 1e6:.2f} MB", workspace <= 1.3 * live)
    table.add(f"{name}: largest live set of the kernels", f"{live / 1e6:.2f} MB")
    table.add(f"{name}: workspace with all dims fixed", f"{planned / 1e6:.2f} MB")
    table.add(f"{name}: largest live set of the unfused graph",
              f"{liveset.unfused(path, inputs) / 1e6:.2f} MB")


def bench_model(table, tools, name, sizes, folder, turns):
    entry = models.BY_NAME[name]
    path, library = entry.path(folder / "full"), folder / f"bench-{name}.so"
    bench_compile(table, tools, name, path, library)
    inputs = entry.inputs(path, sizes)
    data = folder / f"bench-{name}.npz"
    np.savez(data, **inputs)
    bench_artifact(table, tools, name, path, library, inputs)
    for threads in (1, 2):
        ratio = speed_ratio(library, path, data, threads, turns)
        table.add(f"{name}: speed to onnxruntime's, threads {threads}", f"{ratio:.2f}", ">= 0.80",
                  ratio >= 0.80)


def bench_compile_only(table, tools, name, folder):
    library = folder / f"bench-{name}.so"
    bench_compile(table, tools, name, models.BY_NAME[name].path(folder / "full"), library)


def bench_one_node(table, tools, folder):
    path = folder / "one-node.onnx"
    value = [helper.make_tensor_value_info(n, 1, [4]) for n in "xy"]
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", value[:1], value[1:])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10),
              path)
    seconds = statistics.median(
        tools.compile(path, folder / "one-node.so", "--name=model").seconds for _ in range(9))
    table.add("one-node model: compile time", f"{seconds:.3f} s", "<= 0.15 s", seconds <= 0.15)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--only", nargs="*", default=["kernels", "one-node", *MODELS, *COMPILED_ONLY],
                        help="what to measure: kernels, one-node, "
                             + ", ".join([*MODELS, *COMPILED_ONLY]))
    parser.add_argument("--turns", type=int, default=11, help="turns of each side")
    args = parser.parse_args()
    folder = args.build / "models"
    folder.mkdir(parents=True, exist_ok=True)
    tools = toolbox.Tools(args.build / "bin" / "onnxc", args.build / "bin" / "onnxc-run")
    table = Table()
    if "kernels" in args.only:
        bench_kernels(table, args.build)
    if "one-node" in args.only:
        bench_one_node(table, tools, folder)
    for name in args.only:
        if name not in {"kernels", "one-node", *MODELS, *COMPILED_ONLY}:
            parser.error(f"--only: unknown '{name}'")
        if name in MODELS:
            bench_model(table, tools, name, MODELS[name], folder, args.turns)
        if name in COMPILED_ONLY:
            bench_compile_only(table, tools, name, folder)
    table.print()
    if failed := table.failed():
        print(f"not held: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
