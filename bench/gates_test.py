#!/usr/bin/env python3
"""That bench/run.py fails where a figure does not hold or cannot be read.

    gates_test.py

bench-kernels is replaced by a script that prints what a case wants.
"""

import pathlib
import subprocess
import sys
import tempfile

HEAD = "share of the multiply-add peak\n"
GOOD = [("gemm 512x512x512", 0.95, 0), ("conv 3x3/1 56x56 64->64", 0.97, 0),
        ("conv 3x3/1 14x14 256->256", 0.98, 0), ("gemv 1x768x768", 0.40, 3)]


def lines(rows):
    return HEAD + "".join(f"{name:<28} {share:.2f} (0.10-1.00) 12.5 us 3 tasks {spills} spills "
                          "0 moves  #rt.gemm<mr = 6>\n" for name, share, spills in rows)


CASES = {
    "all hold": (lines(GOOD), 0, 0),
    "a share is too low": (lines([("gemm 512x512x512", 0.75, 0), *GOOD[1:]]), 0, 1),
    "a required kernel spills": (lines([("gemm 512x512x512", 0.95, 1), *GOOD[1:]]), 0, 1),
    "a required kernel is missing": (lines(GOOD[1:]), 0, 1),
    "a line cannot be read": (lines(GOOD) + "gemm 8x8x8 is fast\n", 0, 1),
    "a line has no strategy": (lines(GOOD).replace("  #rt.gemm<mr = 6>", "", 1), 0, 1),
    "nothing was printed": ("", 0, 1),
    "the program fails": (lines(GOOD), 3, 1),
}


def main():
    run = pathlib.Path(__file__).resolve().parent / "run.py"
    failed = 0
    for name, (text, code, wanted) in CASES.items():
        with tempfile.TemporaryDirectory() as build:
            program = pathlib.Path(build) / "bin" / "bench-kernels"
            program.parent.mkdir()
            program.write_text(f"#!{sys.executable}\nprint({text!r}, end='')\n"
                               f"raise SystemExit({code})\n")
            program.chmod(0o755)
            found = subprocess.run([sys.executable, run, "--build", build, "--only", "kernels"],
                                   capture_output=True, text=True)
        if found.returncode != wanted:
            print(f"{name}: exit code {found.returncode}, expected {wanted}\n{found.stderr}")
            failed += 1
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
