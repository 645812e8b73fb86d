#!/usr/bin/env python3
"""Symbols of artifacts: nothing but the model's own names goes out, little comes in.

Models whose graph, nodes, inputs and outputs are called like libc functions
link into one program and run.
"""

import re
import subprocess
import sys

from common import HERE, LLVM_BIN, Bench, binary_model, helper, save, value

# What an artifact may leave undefined: thread creation, weakly.
ALLOWED_UNDEFINED = {"pthread_create", "pthread_join"}
SUFFIXES = (".o", ".a", ".so")
PUBLIC = ("model", "plan", "run", "init", "fini")


def symbols(path, *flags):
    lines = subprocess.run([LLVM_BIN / "llvm-nm", *flags, path], check=True, text=True,
                           capture_output=True).stdout.splitlines()
    return {line.split()[-1] for line in lines if line and not line.endswith(":")}


def check_symbols(bench, path, name):
    flags = ["-D"] if path.suffix == ".so" else []
    defined = symbols(path, "-g", "--defined-only", *flags)
    header = path.with_suffix(".h").read_text()
    model_id = re.search(rf"#define {name.upper()}_MODEL_ID \"([0-9a-f]{{16}})\"", header).group(1)
    wanted = {f"{name}_{part}" for part in (*PUBLIC, f"model_{model_id}")}
    bench.expect(defined == wanted, f"{path.name} defines {sorted(defined)}, expected {sorted(wanted)}")
    undefined = symbols(path, "-u", *flags)
    bench.expect(undefined <= ALLOWED_UNDEFINED,
                 f"{path.name} needs {sorted(undefined - ALLOWED_UNDEFINED)}")


def libc_case_folders(bench):
    cases = bench.folder / "cases"
    subprocess.run([sys.executable, HERE.parent / "cases" / "make_cases.py", cases], check=True,
                   stdout=subprocess.DEVNULL)
    return sorted(p for p in cases.glob("libc_names*") if p.is_dir())


with Bench(__doc__) as bench:
    plain = binary_model(bench.folder / "plain.onnx", "Add")
    for suffix in SUFFIXES:
        check_symbols(bench, bench.compile(plain, "plain" + suffix, "plain"), "plain")

    objects = []
    for folder in libc_case_folders(bench):
        name = folder.name
        library = bench.compile(folder / "model.onnx", f"{name}.so", name)
        check_symbols(bench, library, name)
        bench.succeed(bench.tools.compare(library, folder / "test_data_set_0", 1e-4, 1e-5), name)
        objects.append(bench.compile(folder / "model.onnx", f"{name}.o", name))
    main = bench.folder / "main.c"
    main.write_text("int main(void) { return 0; }\n")
    bench.run(bench.build("with-libc-names", main, *objects))

    for graph_name in ("printf", "main"):
        model = save(bench.folder / f"{graph_name}.onnx",
                     [helper.make_node("Relu", ["malloc"], ["free"])],
                     [value("malloc", [3])], [value("free", [3])], graph_name=graph_name)
        part = bench.compile(model, f"{graph_name}.o", "model_of")
        check_symbols(bench, part, "model_of")
        bench.run(bench.build(f"with-{graph_name}", main, part))
    print("symbols: only the models' own names; libc's names change nothing")
