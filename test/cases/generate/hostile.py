"""H. Hostile or malformed models."""
import numpy as np
import ml_dtypes
import onnx
from onnx import TensorProto as TP, helper, numpy_helper

import core
from core import *
from formulas import *
from importer import typed


SECRET = b"OUTSIDE-THE-MODEL-DIRECTORY!" * 4
HOSTILE = ("crash", "hang", "read outside a buffer")


def weights_model(*tensors, opset=21):
    nodes, last = [], "x"
    for k, t in enumerate(tensors):
        nodes.append(N("Add", f"{last} {t.name}", f"t{k}")); last = f"t{k}"
    nodes.append(N("Identity", last, "y"))
    return model(nodes, [vi("x", FLOAT, [4])], [vi("y", FLOAT, [4])], tensors, opset)


@row("onnx/onnx#3991", "H", "external data may point outside the model's folder", "ExternalData.md: refuse; read and embed nothing")
def external_data_outside(r):
    os.makedirs(os.path.join(core.OUT, "_outside"), exist_ok=True)
    with open(os.path.join(core.OUT, "_outside", "secret.bin"), "wb") as f: f.write(SECRET)
    no = dict(must_not=["read outside the model directory", "crash"], must_not_contain=SECRET[:16].decode())
    loc = lambda p: weights_model(external("w", [4], p, offset=0, length=16))
    r.refuse("parent_folder", loc("../_outside/secret.bin"), "w", **no)
    r.refuse("absolute_path", loc("/etc/passwd"), "w", must_not=["read outside the model directory", "crash"])
    r.refuse("symlink", loc("weights.bin"), "weights.bin", links={"weights.bin": "../_outside/secret.bin"}, **no)
    r.own = True
    r.refuse("far_parent", loc("../" * 20 + "etc/passwd"), "w", must_not=["read outside the model directory", "crash"])
    r.refuse("through_own_folder", loc("./sub/../../_outside/secret.bin"), "w", **no)
    r.refuse("symlinked_folder", loc("sub/secret.bin"), "secret.bin", links={"sub": "../_outside"}, **no)
    r.refuse("empty_location", loc(""), "location")
    r.refuse("location_is_folder", loc("."), "w")
    r.refuse("device_file", loc("/dev/zero"), "w", ("hang", "read outside the model directory", "crash"))
    r.refuse("missing_file", loc("nowhere.bin"), "nowhere.bin")
    r.refuse("no_location_key", weights_model(TP(name="w", data_type=FLOAT, dims=[4], data_location=TP.EXTERNAL)), "location")
    in_attr = model([helper.make_node("Constant", [], ["c"], value=external("w", [4], "../_outside/secret.bin", offset=0, length=16)), N("Add", "x c", "y")], [vi("x", FLOAT, [4])], [vi("y", FLOAT, [4])])
    r.refuse("in_constant_attribute", in_attr, "../_outside/secret.bin", **no)


@row("onnx/onnx#8482", "H", "valid external data is refused when the initializers are not in offset order")
def external_data_order(r):
    a, b, x = f32([1, 2, 3, 4]), f32([10, 20, 30, 40]), f32([0, 0, 0, 0.5])
    blob = b.tobytes() + bytes(4096 - 16) + a.tobytes()
    use = lambda *t: lambda m: m.graph.initializer.extend(t)
    nodes = [N("Add", "x a", "t"), N("Add", "t b", "y")]
    r.graph("first_behind_second", nodes, {"x": x}, {"y": x + a + b}, tweak=use(external("a", [4], "w.bin", offset=4096, length=16), external("b", [4], "w.bin", offset=0, length=16)), files={"w.bin": blob})
    r.graph("no_length", nodes, {"x": x}, {"y": x + a + b}, tweak=use(external("a", [4], "w.bin", offset=4096), external("b", [4], "w.bin", offset=0, length=16)), files={"w.bin": blob})
    r.own = True
    r.graph("no_length_and_more_behind", nodes, {"x": x}, {"y": x + a + b}, tweak=use(external("a", [4], "w.bin", offset=4096), external("b", [4], "w.bin")), files={"w.bin": blob},
            also_ok=["error"], error_hint="length", note="the text does not say what a missing length means when other data follows; the tensor's own size is the sensible reading")
    r.graph("unaligned_offset", nodes, {"x": x}, {"y": x + a + b}, tweak=use(external("a", [4], "w.bin", offset=3, length=16), external("b", [4], "w.bin", offset=19, length=16)), files={"w.bin": b"abc" + a.tobytes() + b.tobytes()})
    r.graph("two_files", nodes, {"x": x}, {"y": x + a + b}, tweak=use(external("a", [4], "a.bin"), external("b", [4], "b.bin")), files={"a.bin": a.tobytes(), "b.bin": b.tobytes()})
    r.graph("shared_bytes", nodes, {"x": x}, {"y": x + a + a}, tweak=use(external("a", [4], "w.bin", offset=0, length=16), external("b", [4], "w.bin", offset=0, length=16)), files={"w.bin": a.tobytes()})
    r.graph("no_elements", [N("Concat", "x e", "y", axis=0)], {"x": x}, {"y": x}, tweak=use(external("e", [0], "w.bin", offset=0, length=0)), files={"w.bin": a.tobytes()})
    r.refuse("length_is_not_the_tensor", weights_model(external("w", [4], "w.bin", offset=0, length=12)), "w", HOSTILE, files={"w.bin": a.tobytes()})
    r.refuse("file_too_short", weights_model(external("w", [4], "w.bin", offset=0, length=16)), "w.bin", HOSTILE, files={"w.bin": a.tobytes()[:-1]})


@row("onnx/onnx-tensorrt#1058", "H", "the dims say 128 elements and the data holds none", "robustness: an error before anything is reserved or read")
def tensor_size_lies(r):
    big = HOSTILE + ("out of memory",)
    ident = lambda t: model([N("Identity", "w", "y")], [vi("x", FLOAT, [1])], [vi("y", t.data_type, [None] * len(t.dims))], [t])
    r.refuse("dims_without_data", ident(typed("w", TP.INT8, [128], "int32_data", [])), "w", big)
    r.refuse("huge_dims", ident(typed("w", FLOAT, [1 << 40, 1 << 40], "float_data", [])), "w", big)
    r.refuse("raw_one_byte_short", ident(typed("w", FLOAT, [4], None, None, raw=bytes(15))), "w", big)
    r.own = True
    r.refuse("raw_one_byte_long", ident(typed("w", FLOAT, [4], None, None, raw=bytes(17))), "w", big)
    r.refuse("product_wraps_to_zero", ident(typed("w", FLOAT, [1 << 32, 1 << 32], None, None, raw=b"")), "w", big)
    r.refuse("bytes_wrap_to_sixteen", ident(typed("w", FLOAT, [(1 << 62) + 4], None, None, raw=bytes(16))), "w", big, note="4 bytes * (2^62 + 4) is 16 in 64 bits")
    r.refuse("negative_dim", ident(typed("w", FLOAT, [-1], "float_data", [1])), "w", big)
    r.refuse("two_negative_dims", ident(typed("w", FLOAT, [-2, -2], None, None, raw=bytes(16))), "w", big)
    r.refuse("too_many_values", ident(typed("w", FLOAT, [2], "float_data", [1, 2, 3])), "w", big)
    r.refuse("wrong_field", ident(typed("w", FLOAT, [2], "int64_data", [1, 2])), "w", big)
    two = typed("w", FLOAT, [2], "float_data", [1, 2]); two.raw_data = f32([3, 4]).tobytes()
    r.refuse("two_fields", ident(two), "w", big)
    r.refuse("i4_too_short", ident(typed("w", TP.INT4, [5], None, None, raw=bytes(2))), "w", big)
    r.refuse("string_raw", ident(typed("w", TP.STRING, [1], None, None, raw=b"abcd")), "w", big)
    r.refuse("data_with_zero_dim", ident(typed("w", FLOAT, [0], None, None, raw=bytes(4))), "w", big)
    cos = model([N("ConstantOfShape", "s", "y", name="vast")], [vi("x", FLOAT, [1])], [vi("y", FLOAT, [None, None])], [numpy_helper.from_array(i64([1 << 40, 1 << 30]), "s")])
    r.refuse("constant_of_vast_shape", cos, "vast", big)
    exp = model([N("Expand", "x s", "y", name="vast")], [vi("x", FLOAT, [1])], [vi("y", FLOAT, [None, None])], [numpy_helper.from_array(i64([1 << 32, 1 << 32]), "s")])
    r.refuse("expand_to_vast_shape", exp, "vast", big)
    neg = model([N("ConstantOfShape", "s", "y", name="below")], [vi("x", FLOAT, [1])], [vi("y", FLOAT, [None])], [numpy_helper.from_array(i64([-5]), "s")])
    r.refuse("constant_of_negative_shape", neg, "below", big)
    rep = model([N("Tile", "x s", "y", name="vast")], [vi("x", FLOAT, [2])], [vi("y", FLOAT, [None])], [numpy_helper.from_array(i64([1 << 62]), "s")])
    r.refuse("tile_count_wraps", rep, "vast", big)
    # Constants that come from a few bytes: what is far larger than the model is left to the run.
    vast = [numpy_helper.from_array(i64(v), n) for v, n in ((0, "zero"), (10**12, "many"), (1, "one"), ([1 << 20, 1 << 20], "square"))]
    nodes = [N("Range", "zero many one", "k"), N("ReduceSum", "k", "q", keepdims=0), N("Add", "q x", "y")]
    r.refuse("constant_range_summed", model(nodes, [vi("x", INT64, [1])], [vi("y", INT64, [1])], vast[:3]), "workspace", ("crash", "hang", "allocation of the range by the compiler"), [i64([1])], stage="run", also_ok=["values"])
    nodes = [N("ConstantOfShape", "square", "k"), N("ReduceSum", "k", "q", keepdims=0), N("Add", "q x", "y")]
    r.refuse("constant_filled_summed", model(nodes, [vi("x", FLOAT, [1])], [vi("y", FLOAT, [1])], vast[3:]), "workspace", ("crash", "hang", "allocation of the square by the compiler"), [f32([1])], stage="run", also_ok=["values"])
    nodes = [N("Range", "zero many one", "k"), N("ReduceMax", "k", "q", keepdims=0), N("Add", "q x", "y")]
    r.graph("constant_range_of_megabytes", nodes, {"x": i64([1])}, {"y": i64([10_000_000])}, {"zero": i64(0), "many": i64(10_000_000), "one": i64(1)})
    nodes = [N("ConstantOfShape", "square", "k"), N("MatMul", "x k", "y")]
    r.graph("constant_filled_as_weights", nodes, {"x": f32([[1] * 5000])}, {"y": np.zeros((1, 5000), np.float32)}, {"square": i64([5000, 5000])})


@row("onnx/onnx#6180", "H", "a rank mismatch among Conv's inputs crashes shape inference", "robustness: a message that names the node")
def shape_mismatch(r):
    def bad(tag, op, shapes, rank=None, **kw):
        names = [f"i{k}" for k in range(len(shapes))]
        m = model([helper.make_node(op, names, ["y"], name="odd", **kw)], [vi(n, FLOAT, s) for n, s in zip(names, shapes)],
                  [vi("y", FLOAT, [None] * (len(shapes[0]) if rank is None else rank))])
        r.refuse(tag, m, "odd", HOSTILE)
    bad("conv", "Conv", [[7, 6, 1, 5], [], [7, 2, 3, 2, 1]])
    r.own = True
    bad("conv_channels", "Conv", [[1, 3, 4, 4], [2, 4, 3, 3]])
    bad("conv_bias_length", "Conv", [[1, 3, 4, 4], [2, 3, 3, 3], [5]])
    bad("conv_kernel_shape_attribute", "Conv", [[1, 1, 4, 4], [1, 1, 3, 3]], kernel_shape=[2, 2])
    bad("conv_too_few_pads", "Conv", [[1, 1, 4, 4], [1, 1, 3, 3]], pads=[1, 1])
    bad("mat_mul_inner", "MatMul", [[2, 3], [4, 5]])
    bad("mat_mul_scalar", "MatMul", [[], [2]])
    bad("gemm_rank3", "Gemm", [[2, 2, 2], [2, 2]])
    bad("add_not_broadcastable", "Add", [[2, 3], [4]])
    bad("concat_other_axis", "Concat", [[2, 3], [2, 4]], axis=0)
    bad("transpose_perm_twice", "Transpose", [[2, 3]], perm=[0, 0])
    bad("transpose_perm_length", "Transpose", [[2, 3]], perm=[0])
    bad("batch_norm_scalar_input", "BatchNormalization", [[], [1], [1], [1], [1]])
    bad("lstm_weight_rank", "LSTM", [[4, 2, 3], [8, 3], [1, 8, 2]], 4, hidden_size=2)
    bad("global_pool_rank1", "GlobalAveragePool", [[3]])
    bad("resize_rank", "Resize", [[1, 1, 2, 2], [0], [3]])
    bad("depth_to_space_blocksize", "DepthToSpace", [[1, 3, 2, 2]], blocksize=2)
    bad("softmax_axis", "Softmax", [[2, 3]], axis=5)
    r.refuse("declared_output_differs", model([N("MatMul", "a b", "y", name="odd")], [vi("a", FLOAT, [2, 3]), vi("b", FLOAT, [3, 4])], [vi("y", FLOAT, [5, 5])]), "y", HOSTILE,
             note="the model says y is 5x5; the product is 2x4, which other runtimes take with a warning", also_ok=["values"])
    r.refuse("declared_type_differs", model([N("Relu", "a", "y", name="odd")], [vi("a", FLOAT, [2])], [vi("y", INT64, [2])]), "y", HOSTILE)
    r.refuse("mixed_types", model([N("Add", "a b", "y", name="odd")], [vi("a", FLOAT, [2]), vi("b", INT64, [2])], [vi("y", FLOAT, [2])]), "odd", HOSTILE)


@row("openvinotoolkit/openvino#37468", "H", "num_outputs=0 divides by zero in the compiler", "robustness: a message, no trap")
def zero_attributes(r):
    def bad(tag, op, shapes, outs=1, hint="odd", rank=None, opset=18, **kw):
        names = [f"i{k}" for k in range(len(shapes))]
        ys = [f"y{k}" for k in range(outs)]
        r.refuse(tag, model([helper.make_node(op, names, ys, name="odd", **kw)], [vi(n, FLOAT, s) for n, s in zip(names, shapes)], [vi(y, FLOAT, [None] * (rank or len(shapes[0]))) for y in ys], opset=opset), hint, HOSTILE + ("division by zero",))
    bad("split_no_outputs", "Split", [[4]], num_outputs=0)
    bad("split_five_of_three", "Split", [[3]], outs=5, num_outputs=5)
    bad("conv_group0", "Conv", [[1, 1, 4], [1, 1, 2]], group=0)
    bad("pool_stride0", "MaxPool", [[1, 1, 4]], kernel_shape=[2], strides=[0])
    r.own = True
    bad("conv_stride0", "Conv", [[1, 1, 4], [1, 1, 2]], strides=[0])
    bad("conv_dilation0", "Conv", [[1, 1, 4], [1, 1, 2]], dilations=[0])
    bad("conv_negative_group", "Conv", [[1, 1, 4], [1, 1, 2]], group=-1)
    bad("conv_group_does_not_divide", "Conv", [[1, 4, 4], [3, 1, 2]], group=3)
    bad("pool_kernel0", "AveragePool", [[1, 1, 4]], kernel_shape=[0])
    bad("pool_negative_kernel", "MaxPool", [[1, 1, 4]], kernel_shape=[-3])
    bad("pool_huge_kernel", "MaxPool", [[1, 1, 4]], kernel_shape=[1 << 62])
    bad("pool_huge_pads", "AveragePool", [[1, 1, 4]], kernel_shape=[2], pads=[1 << 62, 1 << 62], strides=[1])
    bad("pool_no_kernel", "MaxPool", [[1, 1, 4]])
    bad("depth_to_space_block0", "DepthToSpace", [[1, 4, 2, 2]], blocksize=0)
    bad("space_to_depth_block0", "SpaceToDepth", [[1, 1, 4, 4]], blocksize=0)
    bad("group_norm_no_groups", "GroupNormalization", [[1, 4, 2], [4], [4]], opset=21, num_groups=0)
    bad("lstm_hidden0", "LSTM", [[2, 1, 3], [1, 8, 3], [1, 8, 2]], rank=4, hidden_size=0)
    bad("auto_pad_misspelt", "Conv", [[1, 1, 4], [1, 1, 2]], auto_pad="SAME_LEFT", hint="auto_pad")
    m = model([N("Pad", "x p", "y", name="odd", mode="mirror")], [vi("x", FLOAT, [4])], [vi("y", FLOAT, [None])], [numpy_helper.from_array(i64([1, 1]), "p")])
    r.refuse("pad_mode_misspelt", m, "mode", HOSTILE)
    bad("lrn_size0", "LRN", [[1, 4, 2, 2]], size=0)
    m = model([N("Range", "a b c", "y", name="odd")], [vi("x", FLOAT, [1])], [vi("y", INT64, [None])], [numpy_helper.from_array(i64(v), n) for v, n in ((0, "a"), (5, "b"), (0, "c"))])
    r.refuse("range_delta0", m, "odd", HOSTILE + ("division by zero",))
    m = model([N("Resize", "x _ s", "y", name="odd", mode="nearest")], [vi("x", FLOAT, [1, 1, 2, 2])], [vi("y", FLOAT, [None] * 4)], [numpy_helper.from_array(f32([1, 1, 0, -1]), "s")])
    r.refuse("resize_scale0", m, "odd", HOSTILE + ("division by zero",))


def wrap(field, payload):
    """One length-delimited protobuf field, by hand."""
    def varint(n):
        out = b""
        while n > 127: out += bytes([n & 127 | 128]); n >>= 7
        return out + bytes([n])
    return varint(field << 3 | 2) + varint(len(payload)) + payload


@row("microsoft/onnxruntime#4349", "H", "a fuzzed node with missing inputs or types faults", "robustness: a message, no signal")
def malformed_graph(r):
    x, y = [vi("x", FLOAT, [2])], [vi("y", FLOAT, [2])]
    bad = lambda tag, m, hint, **k: r.refuse(tag, m, hint, HOSTILE, **k)
    bad("add_without_inputs", model([helper.make_node("Add", [], ["y"], name="odd")], x, y), "odd")
    bad("unknown_data_type", model([N("Identity", "w", "y")], x, y, [TP(name="w", data_type=77, dims=[2], raw_data=bytes(8))]), "w")
    bad("input_without_type", model([N("Relu", "x", "y")], [onnx.ValueInfoProto(name="x")], y), "x")
    bad("cycle", model([N("Add", "x b", "a", name="one"), N("Relu", "a", "b", name="two"), N("Identity", "a", "y")], x, y), "one")
    bad("same_output_twice", model([N("Relu", "x", "y", name="first"), N("Neg", "x", "y", name="second")], x, y), "y")
    r.own = True
    bad("node_feeds_itself", model([N("Add", "x y", "y", name="self")], x, y), "self")
    bad("nodes_out_of_order", model([N("Relu", "t", "y", name="late"), N("Neg", "x", "t", name="early")], x, y), "late", note="the nodes must be in topological order; sorting them silently is no error of ours either", also_ok=["values"])
    bad("undefined_input", model([N("Add", "x ghost", "y", name="odd")], x, y), "ghost")
    bad("undefined_output", model([N("Relu", "x", "t")], x, y), "y")
    bad("node_writes_an_input", model([N("Neg", "x", "x", name="odd"), N("Relu", "x", "y")], x, y), "x")
    bad("node_writes_an_initializer", model([N("Neg", "x", "w", name="odd"), N("Relu", "w", "y")], x, y, [numpy_helper.from_array(f32([1, 2]), "w")]), "w")
    bad("two_initializers_one_name", model([N("Add", "x w", "y")], x, y, [numpy_helper.from_array(f32([1, 2]), "w"), numpy_helper.from_array(f32([3, 4]), "w")]), "w")
    bad("two_inputs_one_name", model([N("Relu", "x", "y")], x + x, y), "x")
    bad("too_many_inputs", model([helper.make_node("Relu", ["x", "x", "x"], ["y"], name="odd")], x, y), "odd")
    bad("too_many_outputs", model([helper.make_node("Relu", ["x"], ["y", "z"], name="odd")], x, y), "odd")
    bad("no_op_type", model([onnx.NodeProto(input=["x"], output=["y"], name="odd")], x, y), "odd")
    bad("required_input_empty", model([helper.make_node("Add", ["x", ""], ["y"], name="odd")], x, y), "odd")
    m = model([N("Relu", "x", "y")], x, y); m.graph.input[0].type.tensor_type.elem_type = 0
    bad("input_of_undefined_type", m, "x")
    m = model([N("Relu", "x", "y")], x, y); m.graph.input[0].type.tensor_type.shape.dim[0].dim_value = -3
    bad("input_of_negative_dim", m, "x", also_ok=["values"], note="a negative dim has no meaning; some tools read it as unknown")
    bad("attribute_of_wrong_type", model([N("Softmax", "x", "y", name="odd", axis="last")], x, y), "axis")
    bad("attribute_twice", model([onnx.NodeProto(op_type="Softmax", input=["x"], output=["y"], name="odd", attribute=[helper.make_attribute("axis", 0), helper.make_attribute("axis", 0)])], x, y), "axis")
    bad("required_attribute_missing", model([N("Concat", "x x", "y", name="odd")], x, [vi("y", FLOAT, [4])]), "axis")
    bad("attribute_reference_outside_function", model([onnx.NodeProto(op_type="Softmax", input=["x"], output=["y"], name="odd", attribute=[onnx.AttributeProto(name="axis", type=onnx.AttributeProto.INT, ref_attr_name="k")])], x, y), "axis", note="onnx.proto: such a reference is invalid in the main graph")
    bad("if_without_branches", model([helper.make_node("If", ["c"], ["y"], name="odd")], [vi("c", TP.BOOL, [])], y), "then_branch")
    bad("if_branch_without_outputs", model([N("If", "c", "y", name="odd", then_branch=sub("t", [], [], []), else_branch=sub("e", [], [], []))], [vi("c", TP.BOOL, [])], y), "odd")
    bad("loop_body_too_few_outputs", model([N("Loop", "m _ x", "y", name="odd", body=sub("b", [N("Identity", "c", "c1")], [vi("i", INT64, []), vi("c", TP.BOOL, []), vi("s", FLOAT, [2])], [vi("c1", TP.BOOL, [])]))], x + [vi("m", INT64, [])], y), "odd")
    node = N("Relu", "x", "y").SerializeToString()
    deep = wrap(1, node) + wrap(2, b"deep")
    for _ in range(3000):     # an If inside an If inside an If ...
        attr = wrap(1, b"then_branch") + wrap(6, deep)
        deep = wrap(1, wrap(1, b"c") + wrap(2, b"y") + wrap(4, b"If") + wrap(5, attr))
    bad("three_thousand_nested_branches", b"\x08\x0a" + wrap(7, deep) + wrap(8, b"\x10\x15"), "nest", note="deeper than any sane model: an error, no stack overflow")
    kind = helper.make_tensor_type_proto(FLOAT, [1]).SerializeToString()
    for _ in range(3000): kind = wrap(4, wrap(1, kind))
    graph = wrap(1, N("Identity", "x", "y").SerializeToString()) + wrap(2, b"g") + wrap(11, wrap(1, b"x") + wrap(2, kind)) + wrap(12, wrap(1, b"y") + wrap(2, kind))
    bad("sequence_of_sequence_3000_deep", b"\x08\x0a" + wrap(7, graph) + wrap(8, b"\x10\x15"), "x")
    m = model([N("Relu", "x", "y")], x, y)
    raw = m.SerializeToString()
    bad("bad_utf8_name", raw.replace(b"\x0a\x01x", b"\x0a\x01\xff"), "UTF-8", also_ok=["values"])
    bad("huge_length_prefix", b"\x08\x0a" + b"\x3a\xff\xff\xff\xff\xff\xff\xff\xff\x7f" + b"\0" * 20, "model.onnx")
    bad("endless_varint", b"\x08" + b"\xff" * 400, "model.onnx")
    bad("wrong_wire_type", b"\x0d\0\0\0\0" + raw[2:], "model.onnx", also_ok=["values"], note="ir_version as a fixed32: an unknown field to a lenient parser, which then finds no ir_version")
