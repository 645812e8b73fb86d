#!/usr/bin/env python3
"""What the compiler does where a disk, standard output or memory ends, and when it is not alone.

Each is a message and exit code 1, never a signal, and no file is left; two compilations to
one output leave the files of one of them.
"""

import os
import re
import subprocess
import sys

import numpy as np

from common import Bench, helper, save, toolbox, value

BUG = "this is a bug of onnxc"


def product(path, n):
    weights = np.ones([64, n], np.float32)
    return save(path, [helper.make_node("MatMul", ["x", "w"], ["y"])], [value("x", ["rows", 64])],
                [value("y", ["rows", n])], [("w", weights)])


def refuse(bench, what, result, pattern):
    bench.expect(result.code == 1 and BUG not in result.output,
                 f"{what}: {result.how_it_failed()}\n{result.output}")
    bench.expect(re.search(pattern, result.output), f"{what}: the message is\n{result.output}")
    print(f"{what}: {result.output.strip()}")


def small_disk(bench, model, *flags, output):
    """Compile onto a disk of 64 KiB; such a disk needs a mount namespace."""
    disk = bench.folder / "disk"
    disk.mkdir(exist_ok=True)
    user = [] if os.geteuid() == 0 else ["-r"]
    script = 'mount -t tmpfs -o size=64k none "$1" || exit 77; shift; out="$1"; shift; ' \
             '"$@"; code=$?; ls -A "$(dirname "$out")" >&2; exit $code'
    return toolbox.run(["unshare", *user, "-m", "sh", "-c", script, "sh", disk, disk / output,
                        bench.tools.onnxc, model, "-o", disk / output, "--name=m", *flags])


def full_disk(bench, model):
    for output, flags in (("m.so", []), ("m.a", []), ("m.o", []), ("m.so", ["--weights=file"])):
        result = small_disk(bench, model, *flags, output=output)
        if result.code == 77 or "unshare" in result.output:
            return print("full disk: no namespaces here, skipped")
        refuse(bench, f"full disk, {output} {' '.join(flags)}", result,
               r"cannot write '.*': (No space left on device|it needs \d+ bytes)")
        left = result.output.strip().splitlines()[1:]
        bench.expect(not left, f"files are left: {left}")


def full_stdout(bench, model):
    for emit in ("kernels", "asm"):
        with open("/dev/full", "w") as full:
            result = subprocess.run([bench.tools.onnxc, model, f"--emit={emit}", "-o", "-"],
                                    stdout=full, stderr=subprocess.PIPE, text=True)
        bench.expect(result.returncode == 1 and "cannot write to standard output" in result.stderr,
                     f"full standard output: {result.returncode} {result.stderr}")


def little_memory(bench, model):
    """With less and less address space it compiles, or says that memory is exhausted."""
    if toolbox.SANITIZED:
        return
    messages = 0
    for mebibytes in (900, 800, 700, 600, 550):
        result = bench.tools.compile(model, bench.folder / "m.so", "--name=m",
                                     memory=mebibytes << 20)
        if result.code != 0:
            refuse(bench, f"{mebibytes} MiB of memory", result, "exhausted|Cannot allocate memory")
            messages += 1
    bench.expect(messages, "no limit was too low: lower the test's")


def two_at_once(bench, small, large):
    """Whoever ends last, header and library are of one model."""
    out = bench.folder / "both"
    out.mkdir()
    for _ in range(5):
        running = [subprocess.Popen([bench.tools.onnxc, model, "-o", out / "m.so", "--name=m"])
                   for model in (small, large)]
        bench.expect([process.wait() for process in running] == [0, 0], "a compilation failed")
        digest = re.search(rb"[0-9a-f]{64}", (out / "m.h").read_bytes()).group()
        bench.expect(digest in (out / "m.so").read_bytes(),
                     "the header and the library are of two models")
        bench.expect(sorted(os.listdir(out)) == ["m.h", "m.hpp", "m.so"], "files are left")


with Bench(__doc__) as bench:
    small, large = product(bench.folder / "small.onnx", 64), product(bench.folder / "large.onnx", 4096)
    full_disk(bench, large)
    full_stdout(bench, small)
    little_memory(bench, product(bench.folder / "huge.onnx", 1 << 19))
    two_at_once(bench, small, large)
