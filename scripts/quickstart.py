"""The comparing half of quickstart.sh.

    quickstart.py --model       print the path of the trained model
    quickstart.py ./textdir     run the program and onnxruntime, compare
"""

import importlib.util
import os
import pathlib
import statistics
import subprocess
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "test" / "models"), str(ROOT / "test" / "support")]

HEIGHT, WIDTH = 48, 192
RUNS, TURNS = 100, 5
RTOL, ATOL = 1e-3, 1e-4


def model_path():
    package = importlib.util.find_spec("rapidocr_onnxruntime").submodule_search_locations[0]
    return pathlib.Path(package) / "models" / "ch_ppocr_mobile_v2.0_cls_infer.onnx"


def make_image(path):
    import models
    image = models.text_image(np.random.default_rng(0), 1, HEIGHT, WIDTH)["x"]
    image.tofile(path)


def onnxruntime_process():
    """Run onnxruntime on the image: its result, then its median time in microseconds."""
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession("textdir.onnx", options,
                                           providers=["CPUExecutionProvider"])
    image = np.fromfile("image.f32", np.float32).reshape(1, 3, HEIGHT, WIDTH)
    feed = {session.get_inputs()[0].name: image}
    result, times = session.run(None, feed)[0], []
    for _ in range(RUNS):
        start = time.perf_counter()
        session.run(None, feed)
        times.append(time.perf_counter() - start)
    print(*result[0])
    print(statistics.median(times) * 1e6)


def measure(command):
    """A process's result and its median time."""
    lines = subprocess.run(command, check=True, text=True, capture_output=True).stdout.split("\n")
    return np.array(lines[0].split(), np.float32), float(lines[1])


def workspace_bytes(library):
    import artifact
    inference = artifact.Inference(artifact.Model(library, "textdir"),
                                   [np.zeros([1, 3, HEIGHT, WIDTH], np.float32)])
    return inference.call.workspace_bytes


def compare(program):
    make_image("image.f32")
    ours, theirs = [], []
    for _ in range(TURNS):  # in turn, each in a process of its own
        got, time_ours = measure([program, "image.f32", str(HEIGHT), str(WIDTH), str(RUNS)])
        wanted, time_theirs = measure([sys.executable, __file__, "--onnxruntime"])
        ours.append(time_ours)
        theirs.append(time_theirs)
    print("compiled model: ", *got)
    print("onnxruntime:    ", *wanted)
    equal = np.allclose(got, wanted, rtol=RTOL, atol=ATOL)
    print(f"equal within rtol {RTOL}, atol {ATOL}: {'yes' if equal else 'NO'}")
    weights = os.path.getsize("textdir.onnx")
    print(f"artifact size:   {os.path.getsize('textdir.so'):,} bytes (the model file: {weights:,})")
    print(f"workspace:       {workspace_bytes('./textdir.so'):,} bytes")
    ratio = statistics.median(theirs) / statistics.median(ours)
    print(f"speed:           {ratio:.2f} times onnxruntime's, one thread each")
    return 0 if equal else 1


def main(arguments):
    if arguments == ["--model"]:
        print(model_path())
        return 0
    if arguments == ["--onnxruntime"]:
        onnxruntime_process()
        return 0
    return compare(arguments[0])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
