#!/usr/bin/env python3
"""Write every ONNX backend test case as files.

    extract_suite.py OUT

makes OUT/CASE/model.onnx, OUT/CASE/test_data_set_N/{input,output}_K.pb and
OUT/CASE/tolerance.txt ("rtol atol") from the installed onnx package: the node
and model cases come from code in it, the rest from its data folders. Does
nothing when OUT already holds the suite of this version.
"""

import pathlib
import shutil
import sys
import warnings

warnings.filterwarnings("ignore")

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.case import model as model_cases
from onnx.backend.test.case import node as node_cases
from onnx.backend.test.runner import load_model_tests

STAMP = "onnx-version.txt"


def as_array(value):
    return numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else np.asarray(value)


def to_proto(value, info):
    """The protobuf message of a case's value; info is the graph's input or output."""
    kind = info.type.WhichOneof("value")
    if kind == "optional_type" and value is not None:
        kind = info.type.optional_type.elem_type.WhichOneof("value")
    if value is None:
        return numpy_helper.from_optional(None, info.name)
    if isinstance(value, onnx.TensorProto):
        value.name = info.name
        return value
    if isinstance(value, list) and kind == "sequence_type":
        return numpy_helper.from_list([as_array(v) for v in value], info.name)
    if isinstance(value, dict):
        return numpy_helper.from_dict(value, info.name)
    return numpy_helper.from_array(np.asarray(value), info.name)


def write_data_set(folder, graph, inputs, outputs):
    folder.mkdir(exist_ok=True)
    for index, value in enumerate(inputs):
        proto = to_proto(value, graph.input[index])
        (folder / f"input_{index}.pb").write_bytes(proto.SerializeToString())
    for index, value in enumerate(outputs):
        proto = to_proto(value, graph.output[index])
        (folder / f"output_{index}.pb").write_bytes(proto.SerializeToString())


def write_generated_cases(out):
    cases = node_cases.collect_testcases(None)
    cases += [c for c in model_cases.collect_testcases() if c.model is not None]
    for case in cases:
        folder = out / case.name
        folder.mkdir(parents=True, exist_ok=True)
        onnx.save(case.model, folder / "model.onnx")
        for index, (inputs, outputs) in enumerate(case.data_sets or []):
            write_data_set(folder / f"test_data_set_{index}", case.model.graph, inputs, outputs)
        (folder / "tolerance.txt").write_text(f"{case.rtol} {case.atol}\n")


def copy_stored_cases(out):
    for kind in ("simple", "pytorch-converted", "pytorch-operator"):
        for case in load_model_tests(kind=kind):
            folder = out / case.name
            if folder.exists() or case.model_dir is None:
                continue
            shutil.copytree(case.model_dir, folder)
            (folder / "tolerance.txt").write_text(f"{case.rtol} {case.atol}\n")


def extract(out):
    """Write the suite to `out` unless it is there; return its number of cases."""
    stamp = out / STAMP
    if not (stamp.exists() and stamp.read_text() == onnx.__version__):
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        write_generated_cases(out)
        copy_stored_cases(out)
        stamp.write_text(onnx.__version__)
    return sum(1 for _ in out.glob("*/model.onnx"))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(extract(pathlib.Path(sys.argv[1])), "cases")
