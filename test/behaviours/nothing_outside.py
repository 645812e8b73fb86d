#!/usr/bin/env python3
"""Files outside the model's folder are never opened, not even to look at their size."""

import json
import re
import shutil
import subprocess
import sys

from common import HERE, Bench, toolbox

OUTSIDE = r"(secret\.bin|/etc/passwd|/dev/zero)"
# The path that a call names, or the file that the descriptor it gives is of.
TOUCHED = re.compile(rf'^[^"]*"[^"]*{OUTSIDE}"|= \d+<[^>]*{OUTSIDE}>$')
CALLS = "trace=open,openat,openat2,readlink,readlinkat,stat,newfstatat,statx"

if not shutil.which("strace"):
    sys.exit("error: strace is not installed; see scripts/install-deps.sh")

with Bench(__doc__) as bench:
    cases = bench.folder / "cases"
    subprocess.run([sys.executable, HERE.parent / "cases" / "make_cases.py", cases], check=True,
                   stdout=subprocess.DEVNULL)
    for folder in sorted(cases.glob("external_data_outside__*")):
        output = bench.folder / "out" / folder.name
        output.mkdir(parents=True)
        log = bench.folder / "strace.log"
        result = toolbox.run(["strace", "-f", "-y", "-qq", "-e", CALLS, "-o", log, bench.tools.onnxc,
                              folder / "model.onnx", "-o", output / "model.so"], timeout=60)
        about = json.loads((folder / "case.json").read_text())
        bench.expect(result.code == 1, f"{folder.name}: exit code {result.code}, expected 1")
        bench.expect(not any(output.iterdir()), f"{folder.name}: files left behind")
        for line in log.read_text(errors="replace").splitlines():
            bench.expect(not TOUCHED.search(line), f"{folder.name}: looked outside: {line}")
        print(f"{folder.name}: refused ({about['error_hint']})")
