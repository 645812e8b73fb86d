"""One side of a comparison, in a process of its own.

    worker.py onnxc LIBRARY DATA.npz THREADS
    worker.py onnxruntime MODEL DATA.npz THREADS

Loads, runs once, prints "ready". For each number N that comes in on a line,
runs N times and prints the median time in seconds. Between lines it sleeps, so
that the other side has the machine for itself.
"""

import pathlib
import statistics
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "test" / "support"))


def compiled(path, inputs, threads):
    import artifact
    model = artifact.Model(path, "model")
    pool = artifact.Pool(model, threads) if threads > 1 else None
    arrays = [inputs[v.name.decode()] for v in model.inputs]
    return artifact.Inference(model, arrays, pool).execute


def onnxruntime_session(path, inputs, threads):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return lambda: session.run(None, inputs)


def median_time(run, count):
    times = []
    for _ in range(count):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main(side, path, data, threads):
    inputs = dict(np.load(data))
    run = {"onnxc": compiled, "onnxruntime": onnxruntime_session}[side](path, inputs, int(threads))
    run()
    print("ready", flush=True)
    for line in sys.stdin:
        print(median_time(run, int(line)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
