"""The largest set of intermediate values that a graph, run node by node, keeps alive."""

import numpy as np
import onnx
import onnxruntime


def sizes_of_values(model, inputs):
    """Bytes of each intermediate value, found by running the graph."""
    model = onnx.ModelProto.FromString(model.SerializeToString())
    outputs = {o.name for o in model.graph.output}
    names = [n for node in model.graph.node for n in node.output if n]
    model.graph.output.extend(onnx.ValueInfoProto(name=n) for n in names if n not in outputs)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options,
                                           providers=["CPUExecutionProvider"])
    values = session.run(names, inputs)
    return {n: v.nbytes for n, v in zip(names, values) if isinstance(v, np.ndarray)}


def unfused(path, inputs):
    """Bytes of the largest live set in the file's node order; the graph's outputs not counted."""
    model = onnx.load(path)
    outputs = {o.name for o in model.graph.output}
    sizes = {n: s for n, s in sizes_of_values(model, inputs).items() if n not in outputs}
    last_use = {}
    for index, node in enumerate(model.graph.node):
        for name in node.input:
            last_use[name] = index
    live = largest = 0
    for index, node in enumerate(model.graph.node):
        live += sum(sizes.get(n, 0) for n in node.output)
        largest = max(largest, live)
        dead = {n for n in (*node.input, *node.output) if last_use.get(n, -1) <= index}
        live -= sum(sizes.get(n, 0) for n in dead)
    return largest
