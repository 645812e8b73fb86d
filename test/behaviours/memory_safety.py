#!/usr/bin/env python3
"""No input makes a model touch memory outside of its inputs, outputs and workspace.

    memory_safety.py [--all | --filter REGEX] [-v]

Takes ONNX's backend cases with every dim symbolic. Runs each with its own inputs, with extreme
values in each integer input, and with each dim of each input larger, smaller, 1 and 0, between
pages that trap. A run may end with any status, not with a signal. Without options, cases of those
operators alone whose inputs say where to read.

Then small models whose sizes do not fit, which must end with a status that names the node.
"""

import pathlib
import re
import struct
import subprocess
import sys

import numpy as np
import onnx
from common import FLOAT, HERE, INT64, Bench, save, value
from onnx import TensorProto, helper, numpy_helper

EXTREMES = [0, -1, 1, 5, 1000, 10**5, 2**31, -(2**31), 2**40, -(2**40)]
PACKED = {TensorProto.INT4, TensorProto.UINT4, TensorProto.FLOAT4E2M1}
# One or two cases of each operator with indices, axes, sizes or lengths among its inputs.
REDUCED = re.compile(r"""^test_(
    center_crop_pad_crop | compress_0 | constantofshape_int_zeros | cumsum_1d | expand_dim_changed
    | gather_0 | gather_elements_0 | gathernd_example_int32 | gridsample_bilinear | loop11 | lstm_with_peepholes
    | maxunpool_export_with_output_shape | nonmaxsuppression_limit_output_size | onehot_with_axis
    | reduce_sum_default_axes_keepdims_random | reduce_sum_keepdims_random
    | reduce_l1_do_not_keepdims_random | reshape_extended_dims | reshape_negative_dim | resize_downsample_sizes_cubic
    | resize_upsample_scales_nearest | reversesequence_batch | scatter_elements_with_axis
    | scatternd_add | slice | split_variable_parts_2d_opset18 | squeeze_negative_axes
    | range_int32_type_negative_delta | tensorscatter | tensorscatter_circular | tile | top_k | tril_pos
    | unsqueeze_two_axes | wrap_pad | constant_pad | nllloss_NCd1_ii | sce_mean | basic_deform_conv_with_padding
    | convtranspose_kernel_shape | convinteger_with_padding | qlinearconv | qlinearmatmul_2D_uint8_float32
    | dequantizelinear_blocked | group_normalization_epsilon | unique_sorted_with_axis | affine_grid_2d )$""", re.X)


def make_symbolic(model, lists=True):
    """A symbol for each dim of each input; no shapes of other values. Without `lists`, integer
    vectors keep their length, on which the rank of a result may hang."""
    names = {t.name for t in model.graph.initializer}
    for k, value_info in enumerate(model.graph.input):
        tensor = value_info.type.tensor_type
        is_list = tensor.elem_type == INT64 and len(tensor.shape.dim) == 1
        if value_info.name not in names and (lists or not is_list):
            for d, dim in enumerate(value_info.type.tensor_type.shape.dim):
                dim.dim_param = f"d{k}_{d}"
    del model.graph.value_info[:]
    for value_info in model.graph.output:
        if value_info.type.HasField("tensor_type"):
            for d in value_info.type.tensor_type.shape.dim:
                d.Clear()
    return model


def with_size(array, axis, size):
    """The array with another size along one axis, its elements repeated."""
    if array.shape[axis] == 0:
        return np.zeros([size if i == axis else n for i, n in enumerate(array.shape)], array.dtype)
    return np.take(array, np.arange(size), axis, mode="wrap")


def variants(arrays):
    """(what was changed, inputs), the unchanged ones first."""
    yield "as given", arrays
    for k, array in enumerate(arrays):
        changed = lambda other, k=k: [*arrays[:k], other, *arrays[k + 1:]]
        if array.dtype.kind in "iu" and array.size:
            for number in EXTREMES:
                extreme = np.array(number).astype(array.dtype)
                yield f"input {k} all {number}", changed(np.full_like(array, extreme))
                if array.size > 1:
                    first = array.copy()
                    first.flat[0] = extreme
                    yield f"input {k} first {number}", changed(first)
        for axis, size in enumerate(array.shape):
            for other in sorted({size + 1, max(size - 1, 0), 0, 1, 2 * size} - {size}):
                yield f"input {k} axis {axis} of size {other}", changed(with_size(array, axis, other))


def write_runs(path, runs):
    with open(path, "wb") as file:
        file.write(struct.pack("<q", len(runs)))
        for _, arrays in runs:
            for array in arrays:
                data = np.ascontiguousarray(array).tobytes()
                file.write(struct.pack(f"<{array.ndim + 2}q", array.ndim, *array.shape, len(data)))
                file.write(data)


def run_guarded(bench, program, library, runs, what):
    """The lines that guarded.c prints: (run, status or -signal, message)."""
    write_runs(bench.folder / "runs.bin", runs)
    result = bench.run(program, library, bench.folder / "runs.bin", what=what, timeout=3000)
    found = []
    for line in result.output.splitlines():
        run, _, kind, number, *message = line.split(" ", 4)
        found.append((int(run), int(number) if kind == "status" else -int(number), " ".join(message)))
    return found


def read_inputs(case):
    """The first data set as arrays; None where an input is no plain tensor of numbers."""
    arrays = []
    for k in range(len(list((case / "test_data_set_0").glob("input_*.pb")))):
        try:
            tensor = onnx.TensorProto.FromString((case / "test_data_set_0" / f"input_{k}.pb").read_bytes())
            array = numpy_helper.to_array(tensor)
        except Exception:  # a sequence or an optional
            return None
        if array.dtype.kind not in "iufbV" or tensor.data_type in PACKED:
            return None
        arrays.append(array)
    return arrays


def check_case(bench, program, case, verbose):
    """What went wrong, as lines."""
    arrays = read_inputs(case)
    if arrays is None:
        return []
    library = bench.folder / "case.so"
    for model in (make_symbolic(onnx.load(case / "model.onnx")),
                  make_symbolic(onnx.load(case / "model.onnx"), lists=False),
                  onnx.load(case / "model.onnx")):
        if len(model.graph.input) != len(arrays):
            return []
        onnx.save(model, bench.folder / "case.onnx")
        result = bench.tools.compile(bench.folder / "case.onnx", library, "--name=model", timeout=120)
        bench.expect(not result.crashed, f"{case.name}: {result.how_it_failed()}")
        if not result.failed:
            break
    else:
        if verbose:
            print(f"{case.name}: not compiled: {result.how_it_failed()}")
        return []
    runs = list(variants(arrays))
    lines = []
    for run, status, _ in run_guarded(bench, program, library, runs, case.name):
        if status < 0:
            lines.append(f"{case.name}: {runs[run][0]}: signal {-status}")
        elif run == 0 and status != 0:
            lines.append(f"{case.name}: status {status} with its own inputs")
    if verbose:
        print(f"{case.name}: {len(runs)} runs, {len(lines)} failures", flush=True)
    return lines


def check_suite(bench, program, args):
    subprocess.run([sys.executable, HERE.parent / "onnx" / "extract_suite.py", args.suite], check=True,
                   stdout=subprocess.DEVNULL)
    pattern = re.compile(args.filter) if args.filter else re.compile("") if args.all else REDUCED
    cases = [p.parent for p in sorted(args.suite.glob("*/model.onnx")) if pattern.search(p.parent.name)]
    bench.expect(len(cases) > 0, "no case was found")
    wrong = [line for case in cases for line in check_case(bench, program, case, args.verbose)]
    print(*wrong, sep="\n")
    bench.expect(not wrong, f"{len(wrong)} runs in {len(cases)} cases")
    print(f"{len(cases)} cases")


def node(op, inputs, **attributes):
    return helper.make_node(op, inputs, ["y"], name="odd", **attributes)


def floats(*shape):
    return np.ones(shape, np.float32)


def integers(*values_):
    return np.array(values_, np.int64)


# What is wrong: a node, its inputs' ranks as symbols, an input set that fits, one that does not.
MISFITS = {
    "conv kernel": (node("Conv", ["x", "w"], kernel_shape=[3, 3]),
                    [floats(1, 2, 8, 8), floats(4, 2, 3, 3)], [floats(1, 2, 8, 8), floats(4, 2, 1, 1)]),
    "conv channels": (node("Conv", ["x", "w"], group=2),
                      [floats(1, 4, 8, 8), floats(4, 2, 3, 3)], [floats(1, 2, 8, 8), floats(4, 2, 3, 3)]),
    "conv group": (node("Conv", ["x", "w"], group=2),
                   [floats(1, 4, 8, 8), floats(4, 2, 3, 3)], [floats(1, 4, 8, 8), floats(3, 2, 3, 3)]),
    "conv bias": (node("Conv", ["x", "w", "b"]),
                  [floats(1, 2, 8, 8), floats(4, 2, 3, 3), floats(4)],
                  [floats(1, 2, 8, 8), floats(4, 2, 3, 3), floats(1)]),
    "transposed kernel": (node("ConvTranspose", ["x", "w"], kernel_shape=[3, 3]),
                          [floats(1, 2, 8, 8), floats(2, 4, 3, 3)], [floats(1, 2, 8, 8), floats(2, 4, 2, 2)]),
    "transposed channels": (node("ConvTranspose", ["x", "w"], kernel_shape=[3, 3]),
                            [floats(1, 2, 8, 8), floats(2, 4, 3, 3)], [floats(1, 2, 8, 8), floats(1, 4, 3, 3)]),
    "grid batch": (node("GridSample", ["x", "grid"]),
                   [floats(2, 1, 4, 4), floats(2, 3, 3, 2)], [floats(2, 1, 4, 4), floats(1, 3, 3, 2)]),
    "grid coordinates": (node("GridSample", ["x", "grid"]),
                         [floats(2, 1, 4, 4), floats(2, 3, 3, 2)], [floats(2, 1, 4, 4), floats(2, 3, 3, 1)]),
    "offsets": (node("DeformConv", ["x", "w", "o"], kernel_shape=[2, 2]),
                [floats(1, 1, 3, 3), floats(1, 1, 2, 2), floats(1, 8, 2, 2)],
                [floats(1, 1, 3, 3), floats(1, 1, 2, 2), floats(1, 4, 2, 2)]),
    "affine batch": (node("AffineGrid", ["t", "s"]),
                     [floats(2, 2, 3), integers(2, 1, 4, 4)], [floats(2, 2, 3), integers(3, 1, 4, 4)]),
    "one-hot values": (node("OneHot", ["i", "depth", "v"]),
                       [integers(1, 2), np.int64(3), floats(2)], [integers(1, 2), np.int64(3), floats(1)]),
    "write indices": (node("TensorScatter", ["cache", "update", "i"]),
                      [floats(2, 1, 4, 3), floats(2, 1, 1, 3), integers(0, 1)],
                      [floats(2, 1, 4, 3), floats(2, 1, 1, 3), integers(0)]),
    "split sizes": (helper.make_node("Split", ["x", "s"], ["y", "z"], name="odd", axis=1),
                    [floats(2, 6), integers(2, 4)], [floats(2, 6), integers(7, 7)]),
    "split far": (helper.make_node("Split", ["x", "s"], ["y", "z"], name="odd", axis=1),
                  [floats(2, 6), integers(2, 4)], [floats(2, 6), integers(3000000, 3000000)]),
    "split wraps": (helper.make_node("Split", ["x", "s"], ["y", "z"], name="odd", axis=1),
                    [floats(2, 6), integers(2, 4)], [floats(2, 6), integers(2**63 - 1, -(2**63) + 7)]),
    "reduced axis": (node("ReduceSum", ["x", "a"]), [floats(2, 3), integers(1)], [floats(2, 3), integers(4)]),
    "axis twice": (node("ReduceSum", ["x", "a"], keepdims=0),
                   [floats(2, 3), integers(1, 0)], [floats(2, 3), integers(1, -1)]),
    "squeezed axis": (node("Squeeze", ["x", "a"]), [floats(2, 1), integers(1)], [floats(2, 1), integers(-5)]),
    "squeezed size": (node("Squeeze", ["x", "a"]), [floats(2, 1), integers(1)], [floats(2, 1), integers(0)]),
    "unsqueezed axis": (node("Unsqueeze", ["x", "a"]), [floats(2, 1), integers(2)],
                        [floats(2, 1), integers(3)]),
    "loss target": (node("NegativeLogLikelihoodLoss", ["x", "t"], ignore_index=9),
                    [floats(2, 2), integers(1, 9)], [floats(2, 2), integers(1, 5)]),
    "range delta": (node("Range", ["a", "b", "c"]),
                    [np.float32(0), np.float32(-3), np.float32(-1)], [np.float32(0), np.float32(-3), np.float32(0)]),
}
# Inputs that stay vectors of this length: their length is part of the type.
FIXED = {"s", "a"}


def check_misfit(bench, program, name, op, good, bad):
    dims = {n: [str(d) if n in FIXED else f"{n}{i}" for i, d in enumerate(np.shape(a))]
            for n, a in zip(op.input, good)}
    dims = {n: [int(d) if d.isdigit() else d for d in ds] for n, ds in dims.items()}
    inputs = [value(n, dims[n], FLOAT if a.dtype == np.float32 else INT64) for n, a in zip(op.input, good)]
    model = save(bench.folder / "misfit.onnx", [op], inputs, [value(o, None) for o in op.output], opset=24)
    library = bench.compile(model, "misfit.so", "model")
    runs = [("fits", good), ("does not", bad)]
    for run, status, message in run_guarded(bench, program, library, runs, name):
        bench.expect(status >= 0, f"{name}: {runs[run][0]}: signal {-status}")
        bench.expect((status == 0) == (run == 0), f"{name}: {runs[run][0]}: status {status} {message}")
        bench.expect(run == 0 or "odd" in message, f"{name}: the message does not name the node: {message}")
    check_constant_misfit(bench, name, op, bad)


def check_constant_misfit(bench, name, op, bad):
    """With sizes and values that the compiler sees: an error of its own, or of the run."""
    constants = [(n, np.asarray(a)) for n, a in list(zip(op.input, bad))[1:]]
    inputs = [value(op.input[0], np.shape(bad[0]), FLOAT if bad[0].dtype == np.float32 else INT64)]
    model = save(bench.folder / "misfit.onnx", [op], inputs, [value(o, None) for o in op.output], constants, opset=24)
    library = bench.folder / "misfit.so"
    result = bench.tools.compile(model, library, "--name=model")
    if result.code == 0:
        result = bench.tools.execute(library)
    bench.expect(result.code in (1, 2) and "odd" in result.output,
                 f"{name}, constant: {result.code} {result.output}")


with Bench(__doc__, lambda parser: (
        parser.add_argument("--all", action="store_true", help="every case, which takes an hour"),
        parser.add_argument("--filter", default="", help="only cases whose name this expression finds"),
        parser.add_argument("--suite", help="folder of the cases"),
        parser.add_argument("-v", "--verbose", action="store_true"))) as bench:
    bench.args.suite = pathlib.Path(bench.args.suite or bench.args.onnxc.resolve().parent.parent / "onnx-suite")
    guarded = bench.build("guarded", HERE / "programs" / "guarded.c", flags=["-D_GNU_SOURCE", "-ldl"])
    if not bench.args.filter:
        for misfit, (op, good, bad) in MISFITS.items():
            check_misfit(bench, guarded, misfit, op, good, bad)
    check_suite(bench, guarded, bench.args)
