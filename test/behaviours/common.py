"""What the behaviour tests share: small models, compiling C and C++, checks."""

import argparse
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

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
LLVM_BIN = pathlib.Path("/usr/lib/llvm-22/bin")


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
