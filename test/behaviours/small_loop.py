#!/usr/bin/env python3
"""A Loop with a trip count of 2^63-1 that ends after five turns stays small."""

import subprocess
import sys

from common import HERE, Bench, toolbox

LIMIT = 64 << 20

with Bench(__doc__) as bench:
    cases = bench.folder / "cases"
    subprocess.run([sys.executable, HERE.parent / "cases" / "make_cases.py", cases], check=True,
                   stdout=subprocess.DEVNULL)
    folder = cases / "loop_while__const_trip"
    library = bench.compile(folder / "model.onnx", "loop.so", "loop")
    for data_set in sorted(folder.glob("test_data_set_*")):
        result = bench.succeed(bench.tools.compare(library, data_set, 1e-5, 1e-6, timeout=10),
                               data_set.name)
        print(f"{data_set.name}: peak memory {result.peak_bytes >> 10} KiB")
        bench.expect(result.peak_bytes < LIMIT or toolbox.SANITIZED,
                     "the run needs more than 64 MiB")
