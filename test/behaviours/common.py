"""What the behaviour tests share: small models, compiling C and C++, checks."""

import argparse
import ctypes
import dataclasses
import mmap
import os
import pathlib
import shutil
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "support"))
import tools as toolbox
from artifact import Model

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
LLVM_BIN = pathlib.Path("/usr/lib/llvm-22/bin")


@dataclasses.dataclass
class Target:
    """A CPU to compile for; `features`: what /proc/cpuinfo lists where it runs natively."""
    name: str
    flags: list
    features: list = dataclasses.field(default_factory=list)

    def is_arm(self):
        return any("aarch64" in flag for flag in self.flags)


# Each has other vectors, registers, masks or products.
TARGETS = [
    Target("baseline", ["--mcpu=x86-64"]),
    Target("avx2", ["--mcpu=x86-64-v3"], ["avx2", "fma"]),
    Target("avxvnni", ["--mcpu=x86-64-v3", "--mattr=+avxvnni"], ["avx_vnni"]),
    Target("avx512", ["--mcpu=x86-64-v4"], ["avx512bw", "avx512vl"]),
    Target("avx512vnni", ["--mcpu=x86-64-v4", "--mattr=+avx512vnni"], ["avx512_vnni", "avx512vl"]),
    Target("arm", ["--mtriple=aarch64-linux-gnu"]),
    Target("dotprod", ["--mtriple=aarch64-linux-gnu", "--mattr=+dotprod"]),
    Target("i8mm", ["--mtriple=aarch64-linux-gnu", "--mattr=+i8mm"]),
]


def value(name, dims, dtype=FLOAT):
    return helper.make_tensor_value_info(name, dtype, dims)


def save(path, nodes, inputs, outputs, initializers=(), graph_name="g", opset=21):
    """Write a model; initializers are pairs of a name and an array."""
    tensors = [numpy_helper.from_array(array, name) for name, array in initializers]
    graph = helper.make_graph(nodes, graph_name, inputs, outputs, tensors)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10),
              path)
    return path


def binary_model(path, op):
    return save(path, [helper.make_node(op, ["a", "b"], ["y"])], [value("a", [1]), value("b", [1])],
                [value("y", [1])])


def matmul_model(path, m, k, n):
    return save(path, [helper.make_node("MatMul", ["a", "b"], ["y"])],
                [value("a", [m, k]), value("b", [k, n])], [value("y", [m, n])])


def loop_body(nodes, outputs):
    """A Loop body over a float state x that always goes on."""
    nodes = [helper.make_node("Identity", ["keep_in"], ["keep"]), *nodes]
    return helper.make_graph(
        nodes, "body", [value("i", [], INT64), value("keep_in", [], BOOL), value("x", None)],
        [value("keep", [], BOOL), *outputs])


def guarded(array):
    """A copy that ends where a page begins that must not be touched."""
    page = mmap.PAGESIZE
    size = -(-max(array.nbytes, 1) // page) * page
    memory = mmap.mmap(-1, size + page)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(start + size), page, 0) == 0
    copy = np.frombuffer(memory, array.dtype, array.size, size - array.nbytes)
    copy = copy.reshape(array.shape)
    copy[...] = array
    return copy


class Bench:
    """A scratch folder with the tools of one build; a failed check ends the test."""

    def __init__(self, description, add_arguments=lambda parser: None):
        parser = argparse.ArgumentParser(description=description,
                                         formatter_class=argparse.RawDescriptionHelpFormatter)
        toolbox.add_arguments(parser)
        add_arguments(parser)
        self.args = parser.parse_args()
        self.tools = toolbox.from_arguments(self.args)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="onnxc-behaviour-"))

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        shutil.rmtree(self.folder, ignore_errors=True)

    def expect(self, condition, message):
        if not condition:
            sys.exit(f"error: {message}")

    def succeed(self, result, what):
        self.expect(not result.failed, f"{what}: {result.how_it_failed()}\n{result.output}")
        return result

    def compile(self, model, output, name, *flags, **limits):
        """Compile a model into the scratch folder."""
        path = self.folder / output
        self.succeed(self.tools.compile(model, path, f"--name={name}", *flags, **limits),
                     f"onnxc {output}")
        return path

    def build(self, output, *sources, flags=(), compiler="clang-22"):
        """Compile and link a test program against models."""
        program = self.folder / output
        # For quotes only: the runtime has a math.h of its own.
        includes = [f"-I{self.folder}", "-iquote", ROOT / "runtime", f"-I{HERE / 'programs'}"]
        self.succeed(toolbox.run([compiler, "-O1", "-g1", *includes, *sources, "-o", program,
                                  f"-Wl,-rpath,{self.folder}", *flags], timeout=120), f"building {output}")
        return program

    def run(self, *command, what=None, timeout=300, **options):
        return self.succeed(toolbox.run(command, timeout=timeout, **options),
                            what or pathlib.Path(command[0]).name)

    def environment(self, **variables):
        return {**os.environ, **variables}

    def check_on(self, target, model, name, inputs, expected, rtol=0, atol=0):
        """Compile for a target, run where that is possible, compare; inputs end at guard pages."""
        runner = self.tools.onnxc.parent / "onnxc-run-aarch64"
        if target.is_arm():
            can_run = shutil.which("qemu-aarch64") and runner.exists()
        else:
            listed = pathlib.Path("/proc/cpuinfo").read_text().split()
            can_run = set(target.features).issubset(listed)
        if not can_run:
            print(f"{target.name}: this machine cannot run it")
            return
        prefix = f"{name}_{target.name}"
        library = self.compile(model, f"{prefix}.so", prefix, *target.flags)
        if not target.is_arm():
            found = Model(library, prefix).run([guarded(array) for array in inputs])
            for i, (result, wanted) in enumerate(zip(found, expected, strict=True)):
                self.expect(result.shape == wanted.shape and
                            np.allclose(result, wanted, rtol, atol, equal_nan=True),
                            f"{prefix}: output {i} differs: {result} instead of {wanted}")
        else:
            folder = self.folder / prefix
            folder.mkdir()
            for kind, arrays in (("input", inputs), ("output", expected)):
                for i, array in enumerate(arrays):
                    np.save(folder / f"{kind}_{i}.npy", array)
            self.run(*toolbox.EMULATORS["aarch64"], runner, library, folder, f"--rtol={rtol}",
                     f"--atol={atol}", what=prefix)
        print(f"{target.name}, {name}: all equal")
