"""Cases that are stored as they are, for want of a formula: one file of ../models for each fault.

A file holds what its cases have in common (`about`, keys of case.json) and `cases`, by variant ("" is the fault's own name):
  about      what is special about this case
  model      lines of ONNX's text form, or of protobuf's ("ir_version: ..."), which can say what the former cannot
  data_sets  for each data set `inputs` and `outputs`: [name, element type, shape, values], or one value for all elements;
             "nan", "-nan", "inf" and "-inf" are strings, as JSON has no such numbers
"""
import json, os, pathlib

import numpy as np
from google.protobuf import text_format
from onnx import ModelProto, parser, numpy_helper
from onnx import TensorProto as TP, helper

MODELS = pathlib.Path(__file__).resolve().parent.parent / "models"


def pack(message):
    """Numbers of tensors as raw bytes, which is how exporters write them."""
    for field, value in message.ListFields():
        if field.type != field.TYPE_MESSAGE: continue
        for part in value if field.is_repeated else [value]:
            if isinstance(part, TP) and part.data_type != TP.STRING and not part.HasField("raw_data"):
                part.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(part), part.name))
            elif not isinstance(part, TP):
                pack(part)


def read_model(lines):
    text = "\n".join(lines)
    if lines[0].startswith("ir_version"): return text_format.Parse(text, ModelProto())
    model = parser.parse_model(text)
    pack(model)
    return model


def read_tensor(name, kind, shape, values):
    if kind == "STRING": return helper.make_tensor(name, TP.STRING, shape, values)
    dtype = helper.tensor_dtype_to_np_dtype(TP.DataType.Value(kind))
    wide = np.uint64 if kind == "UINT64" else np.int64 if "INT" in kind or kind == "BOOL" else np.float64
    flat = np.array(values, dtype=wide).astype(dtype)
    return numpy_helper.from_array(flat.reshape(shape) if flat.ndim else np.full(shape, flat), name)


def write_case(folder, about, case):
    os.makedirs(folder)
    with open(os.path.join(folder, "model.onnx"), "wb") as f: f.write(read_model(case["model"]).SerializeToString())
    for k, data in enumerate(case.get("data_sets", [])):
        os.makedirs(here := os.path.join(folder, f"test_data_set_{k}"))
        for kind in ("input", "output"):
            for i, tensor in enumerate(data.get(kind + "s", [])):
                with open(os.path.join(here, f"{kind}_{i}.pb"), "wb") as f: f.write(read_tensor(*tensor).SerializeToString())
    with open(os.path.join(folder, "case.json"), "w") as f: json.dump({**about, **case.get("about", {})}, f, indent=1); f.write("\n")


def write_all(out):
    """Writes every stored case below `out`."""
    for path in sorted(MODELS.glob("*.json")):
        fault = json.loads(path.read_text())
        for variant, case in fault["cases"].items():
            write_case(os.path.join(out, path.stem + (f"__{variant}" if variant else "")), fault["about"], case)
