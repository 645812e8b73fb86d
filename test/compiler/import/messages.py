"""What onnxc says about models that are wrong: one row per message.

usage: messages.py FOLDER    (a folder for the models, which is emptied)

A row is (the one line that onnxc says, the model as onnx text, a function that spoils it or
nothing, more arguments). A text without a header imports opset 18.
"""

import os
import re
import shutil
import subprocess
import sys

import onnx
import onnx.parser
from onnx import TensorProto

HEADER = '<ir_version: 8, opset_import: ["" : %d]>\n'


def build(text, opset):
    if not text.lstrip().startswith("<"):
        text = HEADER % opset + text
    return onnx.parser.parse_model(text)


# Ways to spoil a model -------------------------------------------------------


def initializer(edit):
    """Adds an initializer 'w' of two floats, after `edit(tensor)`."""
    def spoil(model):
        tensor = TensorProto(name="w", dims=[2], data_type=TensorProto.FLOAT)
        edit(tensor)
        model.graph.initializer.append(tensor)
    return spoil


def external(location, offset=None, length=None):
    """The same with its elements in another file."""
    def edit(tensor):
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (("location", location), ("offset", offset), ("length", length)):
            if value is not None:
                tensor.external_data.add(key=key, value=value)
    return initializer(edit)


def attributes(*rows):
    """Sets the attributes of the last node."""
    def spoil(model):
        del model.graph.node[-1].attribute[:]
        model.graph.node[-1].attribute.extend(rows)
    return spoil


def ref_attribute(model):
    model.graph.node[0].attribute.add(name="alpha", ref_attr_name="slope",
                                      type=onnx.AttributeProto.FLOAT)


def sparse(dims, values, indices, index_dims=None):
    """A sparse initializer 'w'."""
    def spoil(model):
        tensor = model.graph.sparse_initializer.add(dims=dims)
        tensor.values.CopyFrom(onnx.helper.make_tensor(
            "w", TensorProto.FLOAT, [len(values)], values))
        tensor.indices.CopyFrom(onnx.helper.make_tensor(
            "", TensorProto.INT64, index_dims or [len(indices)], indices))
    return spoil


def sparse_strings(model):
    sparse([4], [1.0], [1])(model)
    model.graph.sparse_initializer[0].values.CopyFrom(
        TensorProto(name="w", dims=[1], data_type=TensorProto.STRING, string_data=[b"a"]))


def subgraph(index):
    """The subgraph in an attribute of the last node."""
    return lambda model: model.graph.node[-1].attribute[index].g


def with_field(**fields):
    """A model whose first graph field is set by assignment."""
    def spoil(model):
        for name, value in fields.items():
            setattr(model, name, value)
    return spoil


EXP = "g (float[2] x) => (float[2] y) { [n] y = Exp(x) }"
USES_W = "g (float[2] x) => (float[2] y) { [n] y = Add(x, w) }"
SLOPE = "g (float[2] x) => (float[2] y) { [n] y = LeakyRelu(x) }"
LOOP = ("g (int64 t, bool c, float[2] x) => (float[2] y) { [n] y = Loop(t, c, x) "
        "<body = b (int64 i, bool d, float[2] s) => (bool d, float[2] r) { r = Exp(s) }> }")
IF = ("g (bool c, float[2] x) => (float[2] y) { [n] y = If(c) "
      "<then_branch = a () => (float[2] r) { r = Exp(x) }, "
      "else_branch = b () => (float[2] r) { r = Neg(x) }> }")
SCAN = ("g (float[2] s, float[3, 2] x) => (float[2] t, float[3, 2] y) { [n] t, y = Scan(s, x) "
        "<num_scan_inputs = 1, body = b (float[2] a, float[2] e) => (float[2] p, float[2] q) "
        "{ p = Add(a, e) q = Identity(p) }> }")


def node_attribute(name, value):
    return lambda model: model.graph.node[-1].attribute.append(
        onnx.helper.make_attribute(name, value))


def drop_attribute(name):
    def spoil(model):
        node = model.graph.node[-1]
        kept = [a for a in node.attribute if a.name != name]
        del node.attribute[:]
        node.attribute.extend(kept)
    return spoil


def function(body, header="", call="y = local.f(x)", inputs="a", outputs="b"):
    return ('<ir_version: 8, opset_import: ["" : 18, "local" : 1]>\n'
            "g (float[2] x) => (float[2] y) { [call] %s }\n"
            '<domain: "local", opset_import: ["" : 18, "local" : 1]>\n'
            "f %s(%s) => (%s) { %s }\n" % (call, header, inputs, outputs, body))


def doubling(levels):
    """Functions each of which calls the next one twice."""
    header = '<domain: "local", opset_import: ["" : 18, "local" : 1]>\n'
    text = function("b = Neg(a)", call="y = local.f%d(x)" % levels).replace("\nf (", "\nf0 (")
    for i in range(1, levels + 1):
        text += header + "f%d (a) => (b) { t = local.f%d(a) b = local.f%d(t) }\n" % (
            i, i - 1, i - 1)
    return text


MODEL = [
    ("IR version 99 is not supported, expected at most", EXP, with_field(ir_version=99)),
    ("the model has no opset_import", EXP, lambda m: m.ClearField("opset_import")),
    ("opset 99 is not supported, expected 1 to", EXP,
     lambda m: setattr(m.opset_import[0], "version", 99)),
    ("opset 0 is not supported, expected 1 to", EXP,
     lambda m: setattr(m.opset_import[0], "version", 0)),
    ("an input has no name", EXP, lambda m: m.graph.input.add()),
    ("input 'x' has no type, or one that is not supported", EXP,
     lambda m: m.graph.input[0].ClearField("type")),
    ("input 'x' has no rank; give its shape with --shapes", EXP,
     lambda m: m.graph.input[0].type.tensor_type.ClearField("shape")),
    ("input 'x' is defined twice", EXP, lambda m: m.graph.input.append(m.graph.input[0])),
    ("initializer 'w' is defined twice", "g (float[1] x) => (float[1] y) "
     "<float[1] w = {1}> { y = Add(x, w) }",
     lambda m: m.graph.initializer.append(m.graph.initializer[0])),
    ("output of node 'b', 'y' is defined twice",
     "g (float[2] x) => (float[2] y) { [a] y = Exp(x) [b] y = Neg(x) }"),
    ("output 'z' is not defined", "g (float[2] x) => (float[2] z) { [n] y = Exp(x) }"),
    ("output 'y' is declared as 'tensor<2xi64>', the graph gives 'tensor<2xf32>'",
     "g (float[2] x) => (int64[2] y) { [n] y = Exp(x) }"),
    ("the graph has no outputs", EXP, lambda m: m.graph.ClearField("output")),
]

OPTIONS = [
    ("the model has no input 'z'; its inputs are: 'x'", EXP, None, "--shapes=z:3"),
    ("input 'x' has 1 dims, the given shape has 2", EXP, None, "--shapes=x:2x2"),
    ("dim 0 of input 'x' is 2 in the model, the given shape says 3", EXP, None, "--shapes=x:3"),
    ("dim 'n' is given as both 3 and 4", "g (float[n] x) => (float[n] y) { y = Exp(x) }", None,
     "--shapes=x:4", "--dim=n=3"),
    ("no input has a dim 'k'; the model's dims are: 'n'",
     "g (float[n] x) => (float[n] y) { y = Exp(x) }", None, "--dim=k=3"),
    ("no input has a dim 'k'; the model's dims are: none", EXP, None, "--dim=k=3"),
    ("no input has a dim 'k' without a size", EXP, None, "--dim=k=1..3"),
]

NODES = [
    ("node 'n' (Exp): input 'z' is not defined", "g (float[2] x) => (float[2] y) "
     "{ [n] y = Exp(z) }"),
    ("node 'n' (Exp): is on a cycle: it uses its own result 'y'",
     "g (float[2] x) => (float[2] y) { [n] y = Exp(y) }"),
    # The node behind the cycle is not on it.
    ("node 'Add_2' (Add): is on a cycle: it uses its own result 'u', through 'c', 'b'",
     "g (float[2] x) => (float[2] y) { [a] y = Exp(t) [b] t = Neg(v) u = Add(t, x) "
     "[c] v = Sqrt(u) }"),
    ("node 'n' (Exp): has 2 outputs, the operator gives 1",
     "g (float[2] x) => (float[2] y) { [n] y, z = Exp(x) }"),
    ("node 'n': has no op_type", EXP, lambda m: m.graph.node[0].ClearField("op_type")),
    ("node 'n' (Exp): operator 'Exp' is of domain 'other', which the model does not import",
     "g (float[2] x) => (float[2] y) { [n] y = other.Exp(x) }"),
    ("node 'n' (Foo): operator 'Foo' is of domain 'other', which is unknown, and the model has "
     "no function of that name",
     '<ir_version: 8, opset_import: ["other" : 3]> '
     "g (float[2] x) => (float[2] y) { [n] y = other.Foo(x) }"),
    ("node 'n' (Gelu): operator 'Gelu': version 7 of domain 'com.microsoft' is not supported, "
     "expected 1 to 1", '<ir_version: 8, opset_import: ["com.microsoft" : 7]> '
     "g (float[2] x) => (float[2] y) { [n] y = com.microsoft.Gelu(x) }"),
    ("node 'n' (Foo): operator 'Foo' (com.microsoft 1) is not supported",
     '<ir_version: 8, opset_import: ["com.microsoft" : 1]> '
     "g (float[2] x) => (float[2] y) { [n] y = com.microsoft.Foo(x) }"),
    # An operator of another domain is not the one of the same name in ai.onnx.
    ("node 'n' (Exp): operator 'Exp' (com.microsoft 1) is not supported",
     '<ir_version: 8, opset_import: ["com.microsoft" : 1]> '
     "g (float[2] x) => (float[2] y) { [n] y = com.microsoft.Exp(x) }"),
    ("node 'n' (Binarizer): operator 'Binarizer' (ai.onnx 18) is not supported",
     "g (float[2] x) => (float[2] y) { [n] y = Binarizer(x) }"),
    ("node 'n' (ml.Binarizer): operator 'ml.Binarizer' (ai.onnx 18) is not supported",
     "g (float[2] x) => (float[2] y) { [n] y = Exp(x) }",
     lambda m: setattr(m.graph.node[0], "op_type", "ml.Binarizer")),
    # These are ops of the dialect, but not of ONNX.
    ("node 'n' (Refine): operator 'Refine' (ai.onnx 18) is not supported",
     "g (float[2] x) => (float[2] y) { [n] y = Refine(x) }"),
    ("node 'n' (Yield): operator 'Yield' (ai.onnx 18) is not supported",
     "g (float[2] x) => (float[2] y) { [n] y = Yield(x) }"),
    ("node 'n' (Concat): input 1 is omitted, but is not optional",
     "g (float[2] x) => (float[4] y) { [n] y = Concat <axis = 0> (x, , x) }"),
    ("node 'n' (Sum): has no input 'data_0', expected one or more",
     "g (float[2] x) => (float[2] y) { [n] y = Sum() }"),
    ("node 'n' (Min): has no input 'data_0', expected one or more",
     "g (float[2] x) => (float[2] y) { [n] y = Min(x) }",
     lambda m: m.graph.node[0].input.__setitem__(0, "")),
    ("node 'n' (Einsum): has no input 'Inputs', expected one or more",
     'g (float[2] x) => (float[2] y) { [n] y = Einsum <equation = "i->i"> () }'),
    ("node 'n' (Exp): unknown attribute 'alpha'",
     "g (float[2] x) => (float[2] y) { [n] y = Exp <alpha = 1.0> (x) }"),
    ("node 'n' (Exp): unknown attribute 'body'",
     "g (float[2] x) => (float[2] y) { [n] y = Exp "
     "<body = b () => (float[2] r) { r = Neg(x) }> (x) }"),
    ("node 'n' (Add): input 1 ('B') is missing, but is not optional",
     "g (float[2] x) => (float[2] y) { [n] y = Add(x) }"),
    ("node 'n' (Exp): has 2 inputs, the operator takes at most 1",
     "g (float[2] x) => (float[2] y) { [n] y = Exp(x, x) }"),
    ("node 'n' (Concat): attribute 'axis' is missing",
     "g (float[2] x) => (float[2] y) { [n] y = Concat(x) }"),
    ("node 'n' (Concat): attribute 'axis' failed to satisfy constraint: 64-bit signless integer",
     'g (float[2] x) => (float[2] y) { [n] y = Concat <axis = "0"> (x) }'),
    ("node 'n' (Expand): result 'tensor<2199023255552xf32>' has more than 1099511627776 elements",
     "g (float[1] x) => (y) <int64[1] s = {2199023255552}> { [n] y = Expand(x, s) }"),
    ("node 'n' (Exp): 'onnx.Exp' op operand #0 must be tensor of floating-point values, "
     "but got 'tensor<2xi64>'", "g (int64[2] x) => (int64[2] y) { [n] y = Exp(x) }"),
    ("node 'n' (Exp): input 0 is '!onnx.seq<tensor<2xf32>>', expected a tensor of known rank",
     "g (seq(float[2]) x) => (y) { [n] y = Exp(x) }"),
    ("node 'n' (Gather): input 0 is '!onnx.seq<tensor<2xf32>>', expected a tensor of known rank",
     "g (seq(float[2]) x, int64[1] i) => (y) { [n] y = Gather(x, i) }"),
]

FUNCTIONS = [
    ("node 'call/n' (f): function 'f' calls itself", function("[n] b = local.f(a)")),
    ("node 'call' (f): has 2 inputs and 1 outputs, function 'f' at most 1 and 1",
     function("b = Exp(a)", call="y = local.f(x, x)")),
    ("node 'call' (f): has 1 inputs and 2 outputs, function 'f' at most 1 and 1",
     function("b = Exp(a)", call="y, z = local.f(x)")),
    ("node 'call' (f): output 'c' of function 'f' is not defined",
     function("b = Exp(a)", outputs="c")),
    ("node 'call/f19_...' (f0): more than 1000000 nodes after inlining functions",
     doubling(20)),
    ("node 'call/n' (Foo): operator 'Foo' (ai.onnx 18) is not supported",
     function("[n] b = Foo(a)")),
    ("node 'n' (LeakyRelu): attribute 'alpha' refers to a function's attribute outside of any "
     "function", SLOPE, ref_attribute),
]

TENSORS = [
    ("initializer 'w': unknown data type 99", USES_W,
     initializer(lambda t: setattr(t, "data_type", 99))),
    ("initializer 'w': negative dim -2", USES_W, initializer(lambda t: t.dims.append(-2))),
    ("initializer 'w': segmented tensors are not supported", USES_W,
     initializer(lambda t: setattr(t.segment, "begin", 0))),
    ("initializer 'w': has 4 bytes of data, its dims say 8", USES_W,
     initializer(lambda t: t.float_data.append(1))),
    ("initializer 'w': elements in more than one field", USES_W,
     initializer(lambda t: (t.float_data.append(1), t.int32_data.append(1)))),
    ("initializer 'w': elements in a field that does not fit the data type", USES_W,
     initializer(lambda t: t.int64_data.append(1))),
    ("initializer 'w': has 1 strings, its dims say 2",
     "g (float[2] x) => (y) { [n] y = Identity(w) }",
     initializer(lambda t: (setattr(t, "data_type", TensorProto.STRING),
                            t.string_data.append(b"a")))),
    ("initializer 'w': dims of the sparse tensor are out of range", USES_W,
     sparse([-2], [1.0], [0])),
    ("initializer 'w': dims of the sparse tensor are out of range", USES_W,
     sparse([1 << 20, 1 << 20], [1.0], [0])),
    ("initializer 'w': sparse tensor with more than 1 KiB of values", USES_W,
     sparse([2000], [1.0] * 1000, list(range(1000)))),
    ("initializer 'w': indices of the sparse tensor do not fit its dims", USES_W,
     sparse([2], [1.0], [2])),
    ("initializer 'w': indices of the sparse tensor do not fit its dims", USES_W,
     sparse([2, 2], [1.0], [0, 2], [1, 2])),
    ("initializer 'w': indices of the sparse tensor do not fit its dims", USES_W,
     sparse([2], [1.0], [0, 1])),
    ("initializer 'w': sparse tensor of an element type that is not supported",
     "g (float[2] x) => (y) { [n] y = Identity(w) }", sparse_strings),
]

EXTERNAL = [
    ("initializer 'w': external data has no location", USES_W, external(None)),
    ("initializer 'w': external data location '/etc/passwd' is not a relative path", USES_W,
     external("/etc/passwd")),
    ("initializer 'w': external data location 'a\\b' is not a relative path", USES_W,
     external("a\\b")),
    ("initializer 'w': external data location 'data/../../x' leaves the model's folder", USES_W,
     external("data/../../x")),
    ("initializer 'w': external data location './' names no file", USES_W, external("./")),
    ("initializer 'w': cannot open external data 'none': No such file or directory", USES_W,
     external("none")),
    ("initializer 'w': cannot open external data 'link': it is reached through a symbolic link",
     USES_W, external("link")),
    ("initializer 'w': cannot open external data 'linked/data': "
     "it is reached through a symbolic link", USES_W, external("linked/data")),
    ("initializer 'w': external data 'pipe' is not a regular file", USES_W, external("pipe")),
    ("initializer 'w': external data 'data' has 12 bytes, the tensor needs 8 at offset 8",
     USES_W, external("data", "8")),
    ("initializer 'w': external data 'data' has 12 bytes, the tensor needs 8 at offset "
     "18446744073709551615", USES_W, external("data", str(2**64 - 1))),
    ("initializer 'w': external data 'data' has length 4, the tensor needs 8 bytes", USES_W,
     external("data", "0", "4")),
    ("initializer 'w': external data offset '-1' is no number", USES_W, external("data", "-1")),
    ("initializer 'w': external data length 'x' is no number", USES_W,
     external("data", "0", "x")),
    ("initializer 'w': data both in the model and external", USES_W,
     lambda m: (external("data")(m), m.graph.initializer[0].float_data.append(1))),
    ("initializer 'w': strings cannot be external data",
     "g (float[2] x) => (y) { [n] y = Identity(w) }",
     lambda m: (external("data")(m),
                setattr(m.graph.initializer[0], "data_type", TensorProto.STRING))),
]

CONSTANT = "g (float[2] x) => (y) { [n] y = Constant() }"
ATTRIBUTES = [
    ("node 'n' (LeakyRelu): unknown attribute 'beta'",
     "g (float[2] x) => (float[2] y) { [n] y = LeakyRelu <beta = 1.0> (x) }"),
    ("node 'n' (MatMul): unknown attribute 'permA'",  # of the dialect's op, not of ONNX's
     "g (float[2,3] a, float[2,4] b) => (y) { [n] y = MatMul <permA = [1, 0]> (a, b) }"),
    ("node 'n' (AveragePool): unknown attribute 'channels_last'",
     "g (float[1,1,4,4] x) => (y) { [n] y = AveragePool <kernel_shape = [2, 2], channels_last = 1> (x) }"),
    ("node 'n' (LeakyRelu): attribute 'alpha' occurs twice", SLOPE, attributes(
        onnx.helper.make_attribute("alpha", 0.5), onnx.helper.make_attribute("alpha", 0.5))),
    ("node 'n' (LeakyRelu): attribute 'alpha' is not a supported type", SLOPE, attributes(
        onnx.AttributeProto(name="alpha", type=onnx.AttributeProto.TYPE_PROTO))),
    ("node 'n' (LeakyRelu): attribute 'alpha' has the unsupported type GRAPH", SLOPE, attributes(
        onnx.AttributeProto(name="alpha", type=onnx.AttributeProto.GRAPH))),
    ("node 'n' (Constant): has 0 attributes, expected one value", CONSTANT),
    ("node 'n' (Constant): has 2 attributes, expected one value", CONSTANT, attributes(
        onnx.helper.make_attribute("value_int", 1), onnx.helper.make_attribute("value_float", 1.))),
    ("node 'n' (Constant): attribute 'values' is unknown or has the wrong type", CONSTANT,
     attributes(onnx.helper.make_attribute("values", 1))),
    ("node 'n' (Constant): attribute 'value_int' is unknown or has the wrong type", CONSTANT,
     attributes(onnx.helper.make_attribute("value_int", 1.5))),
    ("node 'n' (Constant): attribute 'value': unknown data type 0", CONSTANT,
     attributes(onnx.AttributeProto(name="value", type=onnx.AttributeProto.TENSOR))),
]

# Models of older opsets.
OLD = [
    (5, "node 'n' (Cast): opset 5: attribute 'to' is 'FLOAT99', expected the name of a data type",
     'g (float[2] x) => (y) { [n] y = Cast <to = "FLOAT99"> (x) }'),
    (5, "node 'n' (Cast): opset 5: attribute 'to' is missing",
     "g (float[2] x) => (y) { [n] y = Cast(x) }"),
    (6, "node 'n' (Add): opset 6: axis 2 does not fit the ranks 3 and 2",
     "g (float[2,3,4] x, float[3,4] b) => (y) { [n] y = Add <axis = 2, broadcast = 1> (x, b) }"),
    (6, "node 'n' (Add): opset 6: expected tensors",
     "g (float[2] x, seq(float[2]) b) => (y) { [n] y = Add <axis = 0, broadcast = 1> (x, b) }"),
    (8, "node 'n' (BatchNormalization): opset 8: attribute 'spatial' is 0, expected 1",
     "g (float[2,3] x, float[3] s) => (y) "
     "{ [n] y = BatchNormalization <spatial = 0> (x, s, s, s, s) }"),
    (12, "node 'n' (Softmax): opset 12: axis 3 is out of range for rank 2",
     "g (float[2,3] x) => (y) { [n] y = Softmax <axis = 3> (x) }"),
    (12, "node 'n' (Softmax): opset 12: expected a tensor",
     "g (seq(float[2]) x) => (y) { [n] y = Softmax(x) }"),
    (18, "node 'n' (GroupNormalization): opset 18: expected an input with a known number of "
     "channels", "g (float[2,c,4] x, float[2] s) => (y) "
     "{ [n] y = GroupNormalization <num_groups = 2> (x, s, s) }"),
    (18, "node 'n' (GroupNormalization): opset 18: num_groups 2 does not divide 3 channels",
     "g (float[2,3,4] x, float[2] s) => (y) "
     "{ [n] y = GroupNormalization <num_groups = 2> (x, s, s) }"),
    (12, "node 'n' (Trilu): operator 'Trilu' exists from opset 14 on, the model imports "
     "opset 12", "g (float[2,3] x) => (y) { [n] y = Trilu(x) }"),
    # Operators that have no op of their own.
    (7, "node 'n' (Scan): operator 'Scan' exists from opset 8 on, the model imports opset 7",
     "g (float[2] x) => (y) { [n] y = Scan(x) }"),
    (8, "node 'n' (Scatter): operator 'Scatter' exists from opset 9 on, the model imports opset 8",
     "g (float[2] x, int64[1] i, float[1] u) => (y) { [n] y = Scatter(x, i, u) }"),
    (10, "node 'n' (Clip): opset 10: attribute 'min' is no float",
     "g (float[2,3] x) => (y) { [n] y = Clip <min = 1> (x) }"),
    (12, "node 'n' (Squeeze): opset 12: attribute 'axes' is no list of integers",
     "g (float[1,3] x) => (y) { [n] y = Squeeze <axes = 0> (x) }"),
]

CONTROL_FLOW = [
    ("node 'n' (If): attribute 'else_branch' is missing", IF, drop_attribute("else_branch")),
    ("node 'n' (If): attribute 'then_branch' is missing", IF, drop_attribute("then_branch")),
    ("node 'n' (If): has 0 inputs, expected the condition", IF,
     lambda m: m.graph.node[-1].ClearField("input")),
    ("node 'n' (If): subgraph has 1 inputs, expected 0", IF,
     lambda m: subgraph(0)(m).input.add(name="q")),
    ("node 'n' (If): output 'q' of a subgraph is not defined", IF,
     lambda m: setattr(subgraph(0)(m).output[0], "name", "q")),
    ("node 'n' (If): then_branch has 2 outputs, else_branch 1", IF,
     lambda m: subgraph(0)(m).output.add(name="x")),
    ("node 'n' (If): output 0 is 'tensor<2xi64>' in then_branch and 'tensor<2xf32>' in "
     "else_branch", IF.replace("r = Exp(x)", "r = Cast <to = 7> (x)")),
    ("node 'n' (Loop): attribute 'body' is missing", LOOP, drop_attribute("body")),
    ("node 'n' (Loop): subgraph has 3 inputs, expected 2", LOOP,
     lambda m: m.graph.node[-1].input.__delitem__(slice(1, None))),
    ("node 'n' (Loop): carried value 0 is omitted", LOOP.replace("(t, c, x)", "(t, c, , x)")),
    ("node 'n' (Loop): subgraph has 3 inputs, expected 4",
     LOOP.replace("(t, c, x)", "(t, c, x, x)")),
    ("node 'n' (Loop): body has 1 outputs, expected at least 2", LOOP,
     lambda m: subgraph(0)(m).output.pop()),
    ("node 'n' (Loop): carried value 0 is 'tensor<2xf32>' at first and 'tensor<2xi64>' after an "
     "iteration", LOOP.replace("r = Exp(s)", "r = Cast <to = 7> (s)")),
    ("node 'n' (Scan): attribute 'body' is missing", SCAN, drop_attribute("body")),
    ("node 'n' (Scan): attribute 'num_scan_inputs' is 0, expected 1 to 2", SCAN,
     drop_attribute("num_scan_inputs")),
    ("node 'n' (Scan): attribute 'num_scan_inputs' is 3, expected 1 to 2",
     SCAN.replace("num_scan_inputs = 1", "num_scan_inputs = 3")),
    ("node 'n' (Scan): body has 3 inputs and 2 outputs, which does not fit the node's 2 inputs",
     SCAN, lambda m: subgraph(1)(m).input.add(name="q")),
    ("node 'n' (Scan): has 3 outputs, its body 2", SCAN.replace("t, y = Scan", "t, y, z = Scan")),
    ("node 'n' (Scan): scan_input_axes has 2 for input 0, expected -2 to 1", SCAN,
     node_attribute("scan_input_axes", [2])),
    ("node 'n' (Scan): scan_output_axes has 2 for output 0, expected -2 to 1", SCAN,
     node_attribute("scan_output_axes", [2])),
    ("node 'n' (Scan): input 0 is missing, but is not optional", SCAN,
     lambda m: m.graph.node[-1].input.__setitem__(0, "")),
    ("node 'n' (Scan): unknown attribute 'axes'", SCAN, node_attribute("axes", [1])),
]
OLD += [
    (8, "node 'n' (Scan): input 'sequence_lens' is not supported",
     "g (int64[1] l, float[1,2] s, float[1,3,2] x) => (t, y) { [n] t, y = Scan(l, s, x) "
     "<num_scan_inputs = 1, body = b (float[2] a, float[2] e) => (float[2] p, float[2] q) "
     "{ p = Add(a, e) q = Identity(p) }> }"),
]

# A warning, and the import goes on.
WARNINGS = [
    ("output 'y' is declared as 'tensor<3xf32>', the graph gives 'tensor<2xf32>', which is taken",
     "g (float[2] x) => (float[3] y) { [n] y = Exp(x) }"),
    ("output 'y' is declared as 'tensor<1x?xf32>', the graph gives 'tensor<2xf32>', which is taken",
     "g (float[2] x) => (float[1, n] y) { [n] y = Exp(x) }"),
]


def rows():
    for table in (MODEL, OPTIONS, NODES, FUNCTIONS, TENSORS, EXTERNAL, ATTRIBUTES, CONTROL_FLOW):
        for message, text, *rest in table:
            yield 18, message, text, rest[0] if rest else None, rest[1:]
    for opset, message, text in OLD:
        yield opset, message, text, None, []


def matches(message, line):
    """Whether a line begins with a message, in which ... stands for anything."""
    pattern = ".*".join(re.escape(part) for part in message.split("..."))
    return re.match(pattern, line) is not None


def run(folder, opset, message, text, spoil, arguments, kind="error"):
    """Whether onnxc says this and fails on an error; prints what is wrong."""
    model = build(text, opset)
    if spoil:
        spoil(model)
    path = os.path.join(folder, "model.onnx")
    with open(path, "wb") as file:
        file.write(model.SerializeToString())
    result = subprocess.run(["onnxc", path, "--emit=onnx", *arguments],
                            capture_output=True, text=True, errors="replace")
    found = result.stderr.splitlines()
    code = 1 if kind == "error" else 0
    if result.returncode == code and len(found) == 1 and matches(
            "%s: %s: %s" % (kind, path, message), found[0]):
        return True
    print("expected: %s\nexit code %d, found: %s" % (message, result.returncode, result.stderr))
    return False


def main():
    folder = sys.argv[1]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    with open(os.path.join(folder, "data"), "wb") as file:
        file.write(b"\0" * 12)
    os.symlink("data", os.path.join(folder, "link"))
    os.symlink(".", os.path.join(folder, "linked"))
    os.mkfifo(os.path.join(folder, "pipe"))
    good = [run(folder, *row) for row in rows()]
    good += [run(folder, 18, message, text, None, [], "warning") for message, text in WARNINGS]
    print("%d of %d messages" % (sum(good), len(good)))
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
