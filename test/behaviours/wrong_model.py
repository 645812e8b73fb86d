#!/usr/bin/env python3
"""A program never runs another model than its header's: what does not fit does not link, does
not start, or is a status; the same holds for the file with the weights."""

import shutil

import numpy as np
from common import HERE, Bench, binary_model, helper, save, toolbox, value

USE = """#include "{folder}/m.h"
onnxc_status {function}(onnxc_call *call) {{ return m_run(call); }}
"""
MAIN = """#include "onnxc_runtime.h"
onnxc_status first(onnxc_call *call);
onnxc_status second(onnxc_call *call);
int main(void) { return first(0) == ONNXC_INVALID_ARGUMENT && second(0) == first(0) ? 0 : 1; }
"""


def refused(bench, output, *sources):
    """The messages of a build that must fail."""
    command = ["clang-22", f"-I{bench.folder}", f"-I{HERE.parents[1] / 'runtime'}", *sources, "-o",
               bench.folder / output, f"-Wl,-rpath,{bench.folder}"]
    result = toolbox.run(command, timeout=120)
    bench.expect(result.code not in (0, None), f"{output} was built")
    return result.output


def two_models_of_one_name(bench, models):
    """Compiled as m in the folders add and mul."""
    for name, model in models.items():
        (bench.folder / name).mkdir()
        for suffix in (".a", ".o", ".so"):
            bench.compile(model, f"{name}/m{suffix}", "m")
    sources = []
    for function, folder in (("first", "add"), ("second", "mul")):
        sources.append(bench.folder / f"{function}.c")
        sources[-1].write_text(USE.format(folder=folder, function=function))
    main = bench.folder / "main.c"
    main.write_text(MAIN)
    add, mul = bench.folder / "add", bench.folder / "mul"
    for suffix in (".a", ".o"):
        for pair in ((add, mul), (mul, add)):
            output = refused(bench, "both", main, *sources, *(p / f"m{suffix}" for p in pair))
            bench.expect("m_model" in output, f"two {suffix} files: {output}")
    for suffix in (".a", ".o", ".so"):
        output = refused(bench, "one", main, *sources, add / f"m{suffix}")
        bench.expect("m_model_" in output, f"another model's header and {suffix}: {output}")
    both = bench.folder / "both.c"
    both.write_text('#include "add/m.h"\n#include "mul/m.h"\nint main(void) { return 0; }\n')
    output = refused(bench, "headers", both, add / "m.a")
    bench.expect("headers of two models called m" in output, output)
    # One model twice is no mistake.
    sources[1].write_text(USE.format(folder="add", function="second"))
    bench.run(bench.build("twice", main, *sources, add / "m.a", add / "m.a"))
    print("two models of one name: nothing links")

    program = bench.build("linked", main, *sources, add / "m.so",
                          flags=[f"-Wl,-rpath,{add}"])
    bench.run(program)
    shutil.copy(mul / "m.so", add / "m.so")
    result = toolbox.run([program], timeout=60)
    bench.expect(result.code not in (0, None) and "m_model_" in result.output,
                 f"a program ran with another model's library: {result.output}")
    print("a library that was replaced by another model's: the program does not start")


def libraries_opened_by_the_program(bench, models):
    """dlopen with the header's check, from C and C++."""
    for name, model in models.items():
        bench.compile(model, f"{name}.so", name)
    for source, compiler in (("open_model.c", "clang-22"), ("open_model.cpp", "clang++-22")):
        program = bench.build(source.replace(".", "_"), HERE / "programs" / source,
                              compiler=compiler)
        bench.run(program, bench.folder / "add.so", bench.folder / "mul.so")
        print(f"{source}: another model and another ABI are refused with a message")


def side_files(bench):
    """Two models of one name and equal sizes in one folder, with side files."""
    for name, seed in (("one", 1), ("two", 2)):
        weights = np.random.default_rng(seed).standard_normal([64, 64]).astype(np.float32)
        model = save(bench.folder / f"{name}.onnx", [helper.make_node("MatMul", ["a", "w"], ["y"])],
                     [value("a", [1, 64])], [value("y", [1, 64])], [("w", weights)])
        bench.compile(model, f"{name}.so", "m", "--weights=file")
    files = [bench.folder / f"{name}.weights" for name in ("one", "two")]
    bench.expect(files[0].read_bytes() != files[1].read_bytes(), "the side files are equal")
    program = bench.build("side-file", "-DHEADER=\"one.hpp\"", HERE / "programs" / "side_file.cpp",
                          bench.folder / "one.so", compiler="clang++-22")
    result = bench.run(program, *files)
    bench.expect("its sha256 differs" in result.output, result.output)
    print("side files of two models of one name: none is overwritten, the wrong one is refused")


with Bench(__doc__) as bench:
    models = {"add": binary_model(bench.folder / "add.onnx", "Add"),
              "mul": binary_model(bench.folder / "mul.onnx", "Mul")}
    two_models_of_one_name(bench, models)
    libraries_opened_by_the_program(bench, models)
    side_files(bench)
