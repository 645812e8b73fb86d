#!/usr/bin/env python3
"""Install onnxc into a folder, build each sample against it, run it, check its output."""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import onnxruntime

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "support"), str(HERE.parent / "models")]
import models

SAMPLES = ROOT / "samples"


def run(*command, **options):
    result = subprocess.run([str(c) for c in command], text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, **options)
    if result.returncode != 0:
        sys.exit(f"error: {' '.join(map(str, command))}\n{result.stdout}")
    return result.stdout


def build_project(name, folder, prefix, **variables):
    """Configure and build a sample that is a CMake project; return its build folder."""
    build = folder / name
    run("cmake", "-S", SAMPLES / name, "-B", build, "-G", "Ninja",
        f"-DCMAKE_PREFIX_PATH={prefix}", *(f"-D{k}={v}" for k, v in variables.items()))
    run("cmake", "--build", build)
    return build


def expected_probabilities(path):
    """What the C and CMake samples should print."""
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    info = session.get_inputs()[0]
    shape = [d if isinstance(d, int) else 1 for d in info.shape]
    values = (np.arange(np.prod(shape)) % 16 / 16).astype(np.float32).reshape(shape)
    return session.run(None, {info.name: values})[0].ravel()


def check_probabilities(sample, output, wanted):
    got = np.array([line.split()[-1] for line in output.splitlines()], np.float32)
    if got.shape != wanted.shape or not np.allclose(got, wanted, rtol=1e-3, atol=1e-4):
        sys.exit(f"error: {sample} printed {got}, expected {wanted}")
    print(f"{sample}: equal to onnxruntime")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    args = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="onnxc-samples-"))
    full = args.build / "models" / "full"
    mlp, tagger = (models.BY_NAME[name].path(full) for name in ("mlp", "gru_tagger"))
    wanted = expected_probabilities(mlp)
    prefix = folder / "prefix"
    run("cmake", "--install", args.build, "--prefix", prefix)

    build = build_project("cmake", folder, prefix, CLASSIFIER_MODEL=mlp)
    check_probabilities("samples/cmake", run(build / "classify"), wanted)

    classify = folder / "classify"
    run(prefix / "bin" / "onnxc", mlp, "-o", "classifier.o", "--name=classifier", "--dim", "batch=1",
        cwd=folder)
    run("cc", "-O2", "-I.", SAMPLES / "c" / "main.c", "classifier.o", "-o", classify, cwd=folder)
    check_probabilities("samples/c", run(classify), wanted)

    build = build_project("server", folder, prefix, FIRST_MODEL=mlp, SECOND_MODEL=tagger)
    print("samples/server:", run(build / "server").strip())
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
