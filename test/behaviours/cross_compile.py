#!/usr/bin/env python3
"""Cross-compile for aarch64 with nothing but onnxc, then run under qemu-user.

The compiler runs with an empty PATH, so no other tool can help it.
"""

import shutil

import numpy as np
from common import HERE, LLVM_BIN, Bench, binary_model, toolbox

SYSROOT = "/usr/aarch64-linux-gnu"

with Bench(__doc__) as bench:
    models = {"add": binary_model(bench.folder / "add.onnx", "Add"),
              "mul": binary_model(bench.folder / "mul.onnx", "Mul")}
    outputs = {}
    for name, model in models.items():
        for suffix in (".o", ".a", ".so"):
            output = bench.folder / (name + suffix)
            command = [bench.tools.onnxc, model, "-o", output, f"--name={name}",
                       "--mtriple=aarch64-linux-gnu", "--mcpu=cortex-a72"]
            bench.run(*command, env={"PATH": "/nonexistent"}, what=f"onnxc {output.name}")
            header = bench.run(LLVM_BIN / "llvm-readelf", "-h", output).output
            bench.expect("AArch64" in header, f"{output.name} is not for AArch64:\n{header}")
            outputs[name + suffix] = output
    needed = bench.run(LLVM_BIN / "llvm-readelf", "-d", outputs["add.so"]).output
    bench.expect("(NEEDED)" not in needed, f"add.so needs other libraries:\n{needed}")
    print("object, archive and shared library are AArch64's")

    if not shutil.which("qemu-aarch64"):
        print("qemu-aarch64 is not here: not run")
        raise SystemExit(0)
    for suffix in (".o", ".a"):
        program = bench.build(
            f"two{suffix}-aarch64", "--target=aarch64-linux-gnu", "-fuse-ld=lld-22",
            HERE / "programs" / "two_models.c", outputs["add" + suffix], outputs["mul" + suffix])
        bench.run("qemu-aarch64", "-L", SYSROOT, program)
        print(f"two {suffix} files in a C program under qemu-aarch64: right")
