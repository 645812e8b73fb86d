"""G. What the importer must read."""
import numpy as np
import ml_dtypes
import onnx
from onnx import TensorProto as TP, helper, numpy_helper

from core import *
from formulas import *


@row("onnx/onnx-mlir#1376", "G", "import fails when a graph output is also used inside")
def output_used_inside(r):
    x = f32([-1, 2])
    r.graph("", [N("Relu", "x", "y"), N("Add", "y one", "z")], {"x": x}, {"y": f32([0, 2]), "z": f32([1, 3])}, {"one": f32(1)}, value_info=[vi("y", FLOAT, [2])])
    r.own = True
    r.graph("output_order_is_not_node_order", [N("Relu", "x", "y"), N("Add", "y one", "z")], {"x": x}, {"z": f32([1, 3]), "y": f32([0, 2])}, {"one": f32(1)})
    body = sub("body", [N("Add", "s y", "s1"), N("Identity", "c", "c1")], [vi("i", INT64, []), vi("c", TP.BOOL, []), vi("s", FLOAT, [2])], [vi("c1", TP.BOOL, []), vi("s1", FLOAT, [2])])
    r.graph("used_in_subgraph", [N("Relu", "x", "y"), N("Loop", "m _ x", "z", body=body)], {"x": x}, {"y": f32([0, 2]), "z": f32([-1, 6])}, {"m": i64(2)})
    r.graph("unused_input", [N("Relu", "x", "y")], {"unused": i64([5, 6, 7]), "x": x}, {"y": f32([0, 2])})
    r.graph("unused_node", [N("Relu", "x", "y"), N("Neg", "x", "dead")], {"x": x}, {"y": f32([0, 2])})
    r.graph("two_identities", [N("Relu", "x", "t"), N("Identity", "t", "y"), N("Identity", "t", "z")], {"x": x}, {"y": f32([0, 2]), "z": f32([0, 2])})
    r.graph("constant_output", [N("Constant", [], "k", value_floats=[1.0, 2.0]), N("Relu", "x", "y")], {"x": x}, {"k": f32([1, 2]), "y": f32([0, 2])})
    r.graph("split_output_used", [N("Split", "x", "a b", axis=0, num_outputs=2), N("Add", "a b", "y")], {"x": f32([1, 2, 3, 4])}, {"a": f32([1, 2]), "y": f32([4, 6])}, opset=18)
    r.graph("reused_in_place", [N("Relu", "x", "y"), N("Sqrt", "y", "z"), N("Add", "y z", "w")], {"x": f32([4, 9])}, {"y": f32([4, 9]), "z": f32([2, 3]), "w": f32([6, 12])})


@row("onnx/onnx-mlir#1139", "G", "an empty initializer given as roi or scales crashes", "spec: empty means not given")
def empty_initializer_as_absent(r):
    x, want = img([[1, 2], [3, 4]]), img([[1, 1, 2, 2], [1, 1, 2, 2], [3, 3, 4, 4], [3, 3, 4, 4]])
    e, s = np.zeros(0, np.float32), i64([1, 1, 4, 4])
    r.op("", "Resize", [x, K(e), K(e), K(s)], [want], opset=13, mode="nearest")
    r.own = True
    r.op("opset11", "Resize", [x, K(e), K(e), K(s)], [want], opset=11, ir=6, mode="nearest")
    r.op("scales_given", "Resize", [x, K(e), K(f32([1, 1, 2, 2]))], [want], opset=11, ir=6, mode="nearest")
    r.op("omitted_by_name", "Resize", [x, None, None, K(s)], [want], opset=13, mode="nearest")
    r.op("empty_from_constant_node", "Resize", [x, C(e), C(e), C(s)], [want], opset=13, mode="nearest")
    r.op("slice_axes_omitted", "Slice", [up(4), K(i64([0])), K(i64([4])), None, K(i64([2]))], [f32([0, 2])])
    r.op("trailing_omitted", "Gemm", [up(4, 2, 2), up(4, 2, 2), None], [up(4, 2, 2) @ up(4, 2, 2)])
    r.graph("empty_weight_of_concat", [N("Concat", "x e", "y", axis=0)], {"x": f32([1, 2])}, {"y": f32([1, 2])}, {"e": e})


@row("onnx/onnx#2198", "G", "initializers that are not graph inputs, or that are, break the importer")
def initializer_and_input(r):
    nodes, x, b = [N("Add", "x b", "y")], f32([1, -2]), f32([42])
    r.graph("ir8_initializer_only", nodes, {"x": x}, {"y": x + 42}, {"b": b}, ir=8, opset=13)
    r.graph("ir3_also_input", nodes, {"x": x}, {"y": x + 42}, {"b": b}, ir=3, opset=8)
    r.own = True
    both_ = lambda m: m.graph.input.append(info("b", b))
    r.graph("ir8_default_overridden", nodes, {"x": x}, {"y": x + 42}, {"b": b}, ir=8, opset=13, tweak=both_, sets=[({"x": x, "b": f32([1])}, {"y": x + 1})],
            note="b is an input with a default: the second data set gives its own b")
    first = lambda m: m.graph.input.insert(0, info("b", b))
    r.graph("ir3_initializer_listed_first", nodes, {"b": f32([1]), "x": x}, {"y": x + 1}, {"b": b}, ir=3, opset=8, also_ok=["error"], error_hint="b",
            note="b could be overridden by the standard; a compiler that keeps IR 3 weights constant must say so when a caller tries")
    r.graph("unused_initializer", [N("Neg", "x", "y")], {"x": x}, {"y": -x}, {"b": b}, ir=8, opset=13)
    r.graph("initializer_used_twice", [N("Add", "x b", "t"), N("Mul", "t b", "y")], {"x": x}, {"y": (x + 42) * 42}, {"b": b}, ir=8, opset=13)


@row("onnx/onnx-mlir#2054", "G", "a tensor named like a libc function redefines the symbol", "product: it links and runs, with no unprefixed global symbol")
def libc_names(r):
    names = ["free", "malloc", "main", "memcpy"]
    nodes = [N("Add", "x free", "t0"), N("Add", "t0 malloc", "t1"), N("Add", "t1 main", "t2"), N("Add", "t2 memcpy", "y")]
    init = {n: f32([10.0**k]) for k, n in enumerate(names)}
    r.graph("", nodes, {"x": f32([0.5])}, {"y": f32([1111.5])}, init, name="printf")
    r.own = True
    r.graph("inputs_and_outputs", [N("Add", "abort exit", "errno")], {"abort": f32([1]), "exit": f32([2])}, {"errno": f32([3])}, name="main")
    r.graph("math_names", [N("Exp", "exp", "expf"), N("Sqrt", "expf", "sqrtf")], {"exp": f32([0, 2])}, {"expf": f32(np.exp([0, 2])), "sqrtf": f32(np.exp([0, 1]))}, name="memset")


def typed(name, t, dims, field, values, raw=None):
    x = TP(name=name, data_type=t, dims=dims)
    if raw is not None: x.raw_data = raw
    else: getattr(x, field).extend(values)
    return x


@row("openvinotoolkit/openvino#6338", "G", "an f16 initializer kept in int32_data is parsed as numbers", "onnx.proto: bit patterns")
def tensor_data_fields(r):
    y = f16([1, -2, .5])
    r.graph("f16_int32_data", [N("Add", "x c", "y")], {"x": f16([0, 0, 0])}, {"y": y}, {"c": typed("c", TP.FLOAT16, [3], "int32_data", [15360, 49152, 14336])}, rtol=0, atol=0)
    r.own = True

    def back(tag, t, field, values, want, raw=None, opset=21, **kw):
        r.graph(tag, [N("Identity", "c", "k"), N("Add", "x x", "y")], {"x": f32([1])}, {"k": want, "y": f32([2])}, {"c": typed("c", t, list(want.shape), field, values, raw)}, rtol=0, atol=0, opset=opset, **kw)
    back("f16_raw", TP.FLOAT16, None, None, y, raw=bytes.fromhex("003c00c00038"))
    back("bool_int32_data", TP.BOOL, "int32_data", [1, 0, 1], bools([1, 0, 1]))
    back("bool_raw", TP.BOOL, None, None, bools([1, 0, 1]), raw=b"\1\0\1")
    back("i8_int32_data", TP.INT8, "int32_data", [-1, 127, -128], i8([-1, 127, -128]))
    back("u8_int32_data", TP.UINT8, "int32_data", [255, 0], u8([255, 0]))
    back("u16_int32_data", TP.UINT16, "int32_data", [65535, 1], u16([65535, 1]))
    back("i16_raw_big_endian_trap", TP.INT16, None, None, i16([1, -2, 256]), raw=bytes.fromhex("0100feff0001"))
    back("u32_uint64_data", TP.UINT32, "uint64_data", [2**32 - 1], u32([2**32 - 1]))
    back("u64_uint64_data", TP.UINT64, "uint64_data", [2**64 - 1], u64([2**64 - 1]))
    back("i64_int64_data", TP.INT64, "int64_data", [-(2**63), 2**63 - 1], i64([I64MIN, I64MAX]))
    back("f64_double_data", TP.DOUBLE, "double_data", [1e300, -0.5], f64([1e300, -0.5]))
    back("f32_float_data", TP.FLOAT, "float_data", [1.5, -2], f32([1.5, -2]))
    back("f32_raw_nan_inf", TP.FLOAT, None, None, f32([nan, -inf, 1]), raw=f32([nan, -inf, 1]).tobytes())
    back("scalar_raw", TP.FLOAT, None, None, f32(3), raw=f32(3).tobytes())
    back("no_elements", TP.FLOAT, "float_data", [], np.zeros((0, 2), np.float32))
    r.graph("constant_attribute_forms", [N("Constant", [], "a", value_float=1.5), N("Constant", [], "b", value_floats=[1.0, 2.0]), N("Constant", [], "c", value_int=-3), N("Constant", [], "d", value_ints=[4, 5]),
            N("Neg", "x", "y")], {"x": f32([1])}, {"a": f32(1.5), "b": f32([1, 2]), "c": i64(-3), "d": i64([4, 5]), "y": f32([-1])})
    r.graph("constant_of_shape_default", [N("ConstantOfShape", "s", "y")], {"s": i64([2, 3])}, {"y": np.zeros((2, 3), np.float32)}, out_dims={"y": [None, None]})
    r.graph("constant_of_shape_i32", [N("ConstantOfShape", "s", "y", value=numpy_helper.from_array(i32([7])))], {"s": i64([2])}, {"y": i32([7, 7])}, out_dims={"y": [None]})
    sp = onnx.SparseTensorProto(dims=[2, 3])
    sp.values.CopyFrom(numpy_helper.from_array(f32([5, 7]), "c")); sp.indices.CopyFrom(numpy_helper.from_array(i64([1, 5])))
    r.graph("sparse_initializer", [N("Add", "x c", "y")], {"x": np.zeros((2, 3), np.float32)}, {"y": f32([[0, 5, 0], [0, 0, 7]])}, tweak=lambda m: m.graph.sparse_initializer.append(sp),
            also_ok=["error"], error_hint="sparse", must_not=["crash", "zeros"])
    sp2 = onnx.SparseTensorProto(dims=[2, 3])
    sp2.values.CopyFrom(numpy_helper.from_array(f32([5, 7]))); sp2.indices.CopyFrom(numpy_helper.from_array(i64([[0, 1], [1, 2]])))
    r.graph("sparse_constant_coordinates", [N("Constant", [], "c", sparse_value=sp2), N("Add", "x c", "y")], {"x": np.zeros((2, 3), np.float32)}, {"y": f32([[0, 5, 0], [0, 0, 7]])},
            also_ok=["error"], error_hint="sparse_value", must_not=["crash", "zeros"])


@row("onnx/onnx-mlir#1841", "G", "model-local functions are not supported")
def local_functions(r):
    ops = [helper.make_opsetid("", 21)]
    leaky = N("LeakyRelu", "x", "t")
    ref = leaky.attribute.add(); ref.name, ref.ref_attr_name, ref.type = "alpha", "alpha", onnx.AttributeProto.FLOAT
    f = helper.make_function("local", "f", ["x"], ["y"], [leaky, N("Add", "t x", "y")], ops, ["alpha"])
    g = helper.make_function("local", "g", ["x"], ["y"], [N("f", "x", "t", "local", alpha=0.5), N("Neg", "t", "y")], ops + [helper.make_opsetid("local", 1)])
    x, o = f32([-2, 2]), {"": 21, "local": 1}
    r.graph("call", [N("f", "x", "y", "local", alpha=0.5)], {"x": x}, {"y": f32([-3, 4])}, functions=[f], opset=o)
    r.graph("nested", [N("g", "x", "y", "local")], {"x": x}, {"y": f32([3, -4])}, functions=[f, g], opset=o)
    r.own = True
    r.graph("two_calls_differ", [N("f", "x", "a", "local", alpha=0.5), N("f", "a", "y", "local", alpha=0.25)], {"x": x}, {"y": f32([-3.75, 8])}, functions=[f], opset=o)
    d = onnx.FunctionProto(); d.CopyFrom(f)
    d.ClearField("attribute"); d.attribute_proto.append(helper.make_attribute("alpha", 0.5))
    r.graph("default_attribute", [N("f", "x", "y", "local")], {"x": x}, {"y": f32([-3, 4])}, functions=[d], opset=o)
    h = helper.make_function("local", "h", ["x", "lo"], ["y"], [N("Clip", "x lo", "y")], ops)
    r.graph("omitted_input", [N("h", "x", "y", "local")], {"x": x}, {"y": x}, functions=[h], opset=o)
    t = helper.make_function("local", "two", ["x"], ["a", "b"], [N("Neg", "x", "a"), N("Relu", "x", "b")], ops)
    r.graph("two_outputs_one_used", [N("two", "x", "_ y", "local")], {"x": x}, {"y": f32([0, 2])}, functions=[t], opset=o)
    inner_names = helper.make_function("local", "f", ["a"], ["x"], [N("Neg", "a", "y"), N("Exp", "y", "x")], ops)
    r.graph("inner_names_equal_outer", [N("f", "x", "y", "local"), N("Add", "x y", "z")], {"x": f32([0])}, {"z": f32([1])}, functions=[inner_names], opset=o)
    then, els = sub("then", [N("f", "x", "t", "local", alpha=0.5)], [], [vi("t", FLOAT, [2])]), sub("else", [N("Neg", "x", "e")], [], [vi("e", FLOAT, [2])])
    r.graph("called_in_branch", [N("If", "c", "y", then_branch=then, else_branch=els)], {"c": bools(True), "x": x}, {"y": f32([-3, 4])}, functions=[f], opset=o, sets=[({"c": bools(False), "x": x}, {"y": f32([2, -2])})])
    older = helper.make_function("local", "older", ["x"], ["y"], [N("Neg", "x", "y")], [helper.make_opsetid("", 17)])
    r.graph("own_opset_import", [N("older", "x", "y", "local")], {"x": x}, {"y": -x}, functions=[older], opset=o)
    me = helper.make_function("local", "me", ["x"], ["y"], [N("me", "x", "y", "local")], ops + [helper.make_opsetid("local", 1)])
    bad = model([N("me", "x", "y", "local")], [vi("x", FLOAT, [1])], [vi("y", FLOAT, [1])], functions=[me])
    bad.opset_import.append(helper.make_opsetid("local", 1))
    r.refuse("calls_itself", bad, "me", ("crash", "hang", "stack overflow"))
    bad = model([N("nowhere", "x", "y", "local", name="lost")], [vi("x", FLOAT, [1])], [vi("y", FLOAT, [1])])
    bad.opset_import.append(helper.make_opsetid("local", 1))
    r.refuse("unknown_function", bad, "local", ("crash",), note="the message should give the domain and the operator's name")


@row("onnx/onnx-mlir#1007", "G", "an old file fails with an unhelpful 'parsing failed'", "product: right by the version's rules, or a message with operator, opset and limit")
def old_and_future_opsets(r):
    a, b = up(24, 2, 3, 4), f32([10, 20, 30])
    ok = dict(also_ok=["error"], must_not=["crash", "a message that names neither operator nor opset"])
    for v in (1, 6):
        extra = dict(consumed_inputs=[0, 0]) if v == 1 else {}
        r.op(f"opset{v}_add_broadcast_axis", "Add", [a, b], [a + b.reshape(3, 1)], opset=v, ir=3, broadcast=1, axis=1, error_hint="Add", **extra, **ok)
    x1 = vi("x", FLOAT, [1])
    r.refuse("opset999", model([N("Relu", "x", "y")], [x1], [vi("y", FLOAT, [1])], opset=999), "999")
    r.refuse("not_a_model", b"This is a text file, not a model.\n" * 40, "model.onnx", why="product: names the file and says that it is no ONNX model")
    r.own = True
    r.op("opset1_reshape_attribute", "Reshape", [up(6, 2, 3)], [up(6, 3, 2)], opset=1, ir=3, shape=[3, 2], error_hint="Reshape", **ok)
    r.op("opset1_cast_string_target", "Cast", [f32([1.5, -2])], [i32([1, -2])], opset=1, ir=3, to="INT32", error_hint="Cast", **ok)
    r.op("opset1_sigmoid", "Sigmoid", [f32([0])], [f32([.5])], opset=1, ir=3, error_hint="Sigmoid", **ok)
    r.op("opset6_mul_broadcast_suffix", "Mul", [a, f32([1, 2, 3, 4])], [a * f32([1, 2, 3, 4])], opset=6, ir=3, broadcast=1, error_hint="Mul", **ok)
    r.op("opset6_tile", "Tile", [f32([[1, 2]]), i64([2, 2])], [f32([[1, 2, 1, 2]] * 2)], opset=6, ir=3, error_hint="Tile", **ok)
    r.refuse("opset0", model([N("Relu", "x", "y")], [x1], [vi("y", FLOAT, [1])], opset=0), "opset")
    m = model([N("Relu", "x", "y")], [x1], [vi("y", FLOAT, [1])]); m.ClearField("opset_import")
    r.refuse("no_opset_import", m, "opset_import", note="IR 3 and later require an opset import")
    m = model([N("Relu", "x", "y")], [x1], [vi("y", FLOAT, [1])]); m.ir_version = 9999
    r.refuse("future_ir_version", m, "9999")
    m = model([N("NoSuchOp", "x", "y", name="odd")], [x1], [vi("y", FLOAT, [1])])
    r.refuse("unknown_operator", m, "NoSuchOp")
    m = model([N("Mystery", "x", "y", "com.example", name="odd")], [x1], [vi("y", FLOAT, [1])]); m.opset_import.append(helper.make_opsetid("com.example", 3))
    r.refuse("unknown_domain", m, "com.example")
    m = model([N("Mystery", "x", "y", "com.example", name="odd")], [x1], [vi("y", FLOAT, [1])])
    r.refuse("domain_not_imported", m, "com.example")
    m = model([N("Relu", "x", "y", name="odd", slope=1.0)], [x1], [vi("y", FLOAT, [1])])
    r.refuse("unknown_attribute", m, "slope", note="ignoring an attribute is a silent wrong answer waiting to happen")
    m = model([N("Gelu", "x", "y", name="new")], [x1], [vi("y", FLOAT, [1])], opset=17)
    r.refuse("operator_newer_than_opset", m, "Gelu", note="Gelu came with opset 20; the model imports 17")
    r.refuse("png_header", b"\x89PNG\r\n\x1a\n" + bytes(200), "model.onnx")
    r.refuse("json_text", b'{"irVersion": "8", "graph": {}}', "model.onnx")


@row("tracel-ai/burn-onnx#276", "G", "several forms of Einsum are missing", "numpy.einsum")
def einsum_forms(r):
    a, b, c = rnd(2, 3), rnd(3, 4, seed=2), rnd(4, 2, seed=3)
    q, p = f32([[1, 2], [3, 4]]), rnd(2, 2, 3, seed=4)
    bb = rnd(2, 3, 2, seed=5)
    def one(tag, eq, *xs): r.op(tag, "Einsum", list(xs), [f32(np.einsum(eq.replace(" ", ""), *[x.astype(np.float64) for x in xs]))], equation=eq, atol=1e-5)
    one("implicit_output", "ij,jk", a, b)
    r.op("diagonal", "Einsum", [q], [f32([1, 4])], equation="ii->i")
    r.op("sum_all", "Einsum", [q], [f32(10)], equation="ij->")
    one("batched_ellipsis", "...ij,...jk->...ik", p, bb)
    one("three_operands", "ij,jk,kl->il", a, b, c)
    one("spaces", " i j , j k -> i k ", a, b)
    r.own = True
    one("transpose", "ij->ji", a)
    one("implicit_alphabetical", "ba", a)
    one("trace", "ii", q)
    one("outer", "i,j->ij", a[0], b[0])
    one("dot", "i,i->", a[0], a[1])
    one("batch_diagonal", "...ii->...i", rnd(2, 3, 3))
    one("hadamard_sum", "ij,ij->i", a, a + 1)
    one("attention_scores", "bqhd,bkhd->bhqk", rnd(1, 2, 2, 3), rnd(1, 4, 2, 3, seed=2))
    one("sum_one_operand_axis", "ij,k->k", a, b[0])
    one("broadcast_one", "ij,jk->ik", rnd(2, 1), rnd(1, 3))
    one("upper_and_lower", "aB,Bc->ac", a, b)
    r.op("dynamic", "Einsum", [a, b], [f32(a @ b)], equation="ij,jk->ik", dyn=True)
    r.op("f64", "Einsum", [a.astype(np.float64), b.astype(np.float64)], [a.astype(np.float64) @ b], equation="ij,jk->ik")
    r.op("i64", "Einsum", [i64([[1, 2]]), i64([[3], [1 << 40]])], [i64([[3 + (1 << 41)]])], equation="ij,jk->ik")


@row("Xilinx/onnx-mlir#961", "G", "folding a cast of a boolean constant trips an assertion")
def fold_cast_of_bool(r):
    b = bools([1, 0, 1])
    for n, t, w in (("i8", TP.INT8, i8([1, 0, 1])), ("i64", INT64, i64([1, 0, 1])), ("f32", FLOAT, f32([1, 0, 1]))):
        r.op(n, "Cast", [C(b)], [w], to=t)
    r.own = True
    r.op("f16", "Cast", [C(b)], [f16([1, 0, 1])], to=TP.FLOAT16)
    r.op("u8_initializer", "Cast", [K(b)], [u8([1, 0, 1])], to=TP.UINT8)
    r.op("bool_to_bool", "Cast", [C(b)], [b], to=TP.BOOL)
    r.op("i8_to_bool", "Cast", [C(i8([2, 0, -1]))], [b], to=TP.BOOL)
    for op, ins, w in (("Not", [b], bools([0, 1, 0])), ("And", [b, bools([1, 1, 0])], bools([1, 0, 0])), ("Where", [b, i64([1, 2, 3]), i64(9)], i64([1, 9, 3])),
                       ("Equal", [b, bools([1, 1, 0])], bools([1, 0, 0])), ("Shape", [up(6, 2, 3)], i64([2, 3])), ("Transpose", [bools([[1, 0, 0]])], bools([[1], [0], [0]])),
                       ("Concat", None, None)):
        if op == "Concat": r.op("concat", op, [C(b), C(bools([0]))], [bools([1, 0, 1, 0])], axis=0)
        else: r.op(op.lower(), op, [C(a) for a in ins], [w])
