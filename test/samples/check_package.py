#!/usr/bin/env python3
"""The targets of onnxc_add_model behave as libraries do, and compile for what the toolchain
compiles for, or say why not."""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).resolve().parent
# A compiler that does not say what it compiles for.
QUIET = """#!/bin/sh
for argument; do [ "$argument" = -dumpmachine ] && exit 1; done
exec clang++-22 --target=aarch64-linux-gnu -fuse-ld=lld "$@"
"""
CLANG = "-DCMAKE_CXX_COMPILER=clang++-22"
LLD = ("-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld", "-DCMAKE_SHARED_LINKER_FLAGS=-fuse-ld=lld")


def save_model(path):
    weights = np.random.default_rng(1).standard_normal([64, 10]).astype(np.float32)
    graph = helper.make_graph([helper.make_node("MatMul", ["x", "w"], ["y"])], "g",
                              [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 64])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 10])],
                              [numpy_helper.from_array(weights, "w")])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10),
              path)


class Package:
    """The project in package/, configured in a folder for each case."""

    def __init__(self, folder, prefix):
        self.folder, self.model = folder, folder / "model.onnx"
        self.prefix = prefix
        save_model(self.model)

    def execute(self, *command, fails=False):
        result = subprocess.run([str(c) for c in command], text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)
        if (result.returncode != 0) != fails:
            sys.exit(f"error: {' '.join(map(str, command))}: {result.returncode}\n{result.stdout}")
        return result.stdout

    def configure(self, name, *options, generator="Ninja", fails=False):
        build = self.folder / name
        output = self.execute("cmake", "-S", HERE / "package", "-B", build, "-G", generator,
                              f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DMODEL={self.model}",
                              *options, fails=fails)
        return " ".join(output.split()) if fails else build

    def triples(self, build):
        return set(re.findall(r"--mtriple=(\S+)", (build / "build.ninja").read_text()))


def expect(condition, message):
    if not condition:
        sys.exit(f"error: {message}")


def check_library(package):
    for generator in ("Ninja", "Unix Makefiles"):
        build = package.configure(generator.replace(" ", "-"), generator=generator)
        package.execute("cmake", "--build", build)
        for program in ("app", "alone"):
            package.execute(build / program)
        again = package.execute("cmake", "--build", build)
        expect("Compiling" not in again, f"{generator} compiles again:\n{again}")
    files = (build / "files.txt").read_text().split()
    expect(all(pathlib.Path(file).is_file() for file in files), f"TARGET_FILE: {files}")
    prefix = package.folder / "installed"
    package.execute("cmake", "--install", build, "--prefix", prefix)
    installed = sorted(str(p.relative_to(prefix)) for p in prefix.rglob("*") if p.is_file())
    wanted = ["include/beside.h", "include/beside.hpp", "include/inside.h", "include/inside.hpp",
              "lib/libbeside.so", "lib/libinside.a", "share/beside.weights"]
    expect(installed == wanted, f"installed {installed}")
    needed = package.execute("readelf", "-d", prefix / "lib/libbeside.so")
    expect("(NEEDED)" not in needed, f"the shared library needs others:\n{needed}")
    print("built, run, installed; nothing is compiled twice")


def check_toolchains(package):
    build = package.configure("target", CLANG, "-DCMAKE_CXX_COMPILER_TARGET=aarch64-linux-gnu",
                              *LLD)
    expect(package.triples(build) == {"aarch64-linux-gnu"}, f"found {package.triples(build)}")
    package.execute("cmake", "--build", build, "--target", "app")
    header = package.execute("readelf", "-h", build / "libbeside.so")
    expect("AArch64" in header, header)
    if shutil.which("qemu-aarch64"):
        package.execute("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", build / "app")
    build = package.configure("flags", CLANG, "-DCMAKE_SYSTEM_NAME=Linux",
                              "-DCMAKE_CXX_FLAGS=--target=aarch64-linux-gnu -fuse-ld=lld")
    expect(package.triples(build) == {"aarch64-unknown-linux-gnu"}, f"{package.triples(build)}")
    quiet = package.folder / "quiet"
    quiet.write_text(QUIET)
    quiet.chmod(0o755)
    options = ("-DCMAKE_SYSTEM_NAME=Linux", f"-DCMAKE_CXX_COMPILER={quiet}")
    build = package.configure("processor", *options, "-DCMAKE_SYSTEM_PROCESSOR=arm64")
    expect(package.triples(build) == {"aarch64-linux-gnu"}, f"found {package.triples(build)}")
    output = package.configure("unknown", *options, "-DCMAKE_SYSTEM_PROCESSOR=sparc", fails=True)
    expect("cannot tell what the toolchain compiles for" in output, output)
    expect(not package.triples(package.configure("native")), "a native build names a target")
    print("the target is the toolchain's")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="onnxc-package-") as folder:
        folder = pathlib.Path(folder)
        package = Package(folder, folder / "prefix")
        package.execute("cmake", "--install", args.build, "--prefix", package.prefix)
        runner = args.build / "bin" / "onnxc-run-aarch64"
        expect((package.prefix / "bin" / runner.name).is_file() or not runner.is_file(),
               "onnxc-run-aarch64 is not installed")
        check_library(package)
        check_toolchains(package)
        output = package.configure("missing", "-DMODEL=/nowhere.onnx", fails=True)
        expect("there is no MODEL '/nowhere.onnx'" in output, output)
        print("a model that is not there: not configured")


if __name__ == "__main__":
    main()
