#!/usr/bin/env python3
"""Compile whole models, run them and compare with onnxruntime.

    run_models.py [--target aarch64] [NAME ...]

Each model is compiled once and run with every size that models.py lists; one
that has windows there runs window by window, its state carried on.
"""

import argparse
import os
import pathlib
import sys

import numpy as np
import onnxruntime
from onnx import numpy_helper

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import artifact
import models
import tools as toolbox

RTOL, ATOL = 1e-3, 1e-4


class OnnxruntimeSession:
    """The reference."""

    def __init__(self, path):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 2
        options.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(path, options,
                                                    providers=["CPUExecutionProvider"])

    def run(self, inputs):
        return self.session.run(None, inputs)


class ArtifactSession:
    """A compiled model in this process."""

    def __init__(self, library):
        self.model = artifact.Model(library, "model")
        self.names = [v.name.decode() for v in self.model.inputs]

    def run(self, inputs):
        return self.model.run([inputs[name] for name in self.names])


def over_windows(session, windows, inputs):
    """Run a model over all windows of its input; one array per output."""
    state = inputs[windows.state]
    outputs = []
    for window in windows.each(inputs):
        *output, state = session.run({**inputs, windows.input: window, windows.state: state})
        outputs.append(output)
    return [np.stack(output) for output in zip(*outputs)] + [state]


def run_session(model, session, inputs):
    return (over_windows(session, model.windows, inputs) if model.windows
            else session.run(inputs))


def difference(got, wanted):
    """"" or how an output differs from the reference."""
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        return f"{got.dtype}{list(got.shape)}, expected {wanted.dtype}{list(wanted.shape)}"
    # Some graphs with made-up weights (resnet50) have outputs in the hundreds;
    # rounding errors grow with them, also where an element is near zero.
    atol = ATOL * max(1.0, float(np.std(wanted)))
    error = np.abs(got.astype(np.float64) - wanted)
    bad = int((~(error <= atol + RTOL * np.abs(wanted))).sum())
    if not bad:
        return ""
    return f"{bad} of {got.size} elements differ, by up to {np.nanmax(error):.3g}"


def compare_here(model, path, library):
    """Run an artifact for this machine in this process."""
    reference, compiled = OnnxruntimeSession(path), ArtifactSession(library)
    for sizes in model.sizes:
        inputs = model.inputs(path, sizes)
        wanted = run_session(model, reference, inputs)
        for index, (w, g) in enumerate(zip(wanted, run_session(model, compiled, inputs), strict=True)):
            if reason := difference(g, w):
                yield f"sizes {sizes}: output {index}: {reason}"


def write_data_set(folder, inputs, outputs):
    folder.mkdir(parents=True, exist_ok=True)
    for kind, arrays in (("input", inputs), ("output", outputs)):
        for index, array in enumerate(arrays):
            proto = numpy_helper.from_array(np.asarray(array))
            (folder / f"{kind}_{index}.pb").write_bytes(proto.SerializeToString())


def compare_emulated(model, path, library, tools):
    """Run an artifact for another machine with onnxc-run under its emulator; first window only."""
    reference = OnnxruntimeSession(path)
    order = [i.name for i in reference.session.get_inputs()]
    for number, sizes in enumerate(model.sizes):
        inputs = model.inputs(path, sizes)
        if model.windows:
            inputs[model.windows.input] = next(model.windows.each(inputs))
        folder = library.parent / f"{library.stem}-data" / f"test_data_set_{number}"
        write_data_set(folder, [inputs[name] for name in order], reference.run(inputs))
        result = tools.compare(library, folder, RTOL, ATOL, timeout=900)
        if result.failed:
            yield f"sizes {sizes}: {result.how_it_failed()}"


def check(model, tools, folder, target):
    """What is wrong with a model; prints how its compilation went."""
    path = model.path(folder / "full")
    library = folder / f"{model.name}{'-' + target if target else ''}.so"
    result = tools.compile(path, library, "--name=model", timeout=900)
    if result.failed:
        return [f"compile: {result.how_it_failed()}"]
    print(f"{model.name}: compiled; peak memory {result.peak_bytes >> 20} MiB for a model of "
          f"{os.path.getsize(path) >> 20} MiB", flush=True)
    if target:
        return list(compare_emulated(model, path, library, tools))
    return list(compare_here(model, path, library))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    toolbox.add_arguments(parser)
    parser.add_argument("names", nargs="*", metavar="NAME", help=" ".join(models.BY_NAME))
    parser.add_argument("--folder", type=pathlib.Path, help="for models and artifacts")
    args = parser.parse_args()
    tools = toolbox.from_arguments(args)
    folder = args.folder or args.onnxc.resolve().parent.parent / "models"
    folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name in args.names or models.BY_NAME:
        problems = check(models.BY_NAME[name], tools, folder, args.target)
        print(f"{name}: {'FAIL' if problems else 'equal to onnxruntime'}", flush=True)
        for problem in problems:
            print(f"  {problem}")
        failed += bool(problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
