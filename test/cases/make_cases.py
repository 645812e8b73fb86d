"""Write the ONNX fault cases: one small function per public report, then our own variants of it.

    python make_cases.py OUT

A case is a folder with model.onnx, case.json and test_data_set_*/{input,output}_*.pb (see README.md).
Wanted values are literals or plain numpy; no ONNX tool computes them.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "generate"))
import core
import indexing, window, numerics, reductions, quantisation, control_flow, importer, hostile, targets

if __name__ == "__main__":
    core.main(sys.argv[1])
