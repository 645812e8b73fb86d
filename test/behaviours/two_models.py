#!/usr/bin/env python3
"""Two models in one C and one C++ program, as objects, archives and shared libraries."""

from common import HERE, Bench, binary_model

with Bench(__doc__) as bench:
    models = {"add": binary_model(bench.folder / "add.onnx", "Add"),
              "mul": binary_model(bench.folder / "mul.onnx", "Mul")}
    source = HERE / "programs" / "two_models.c"
    for suffix in (".o", ".a", ".so"):
        parts = [bench.compile(path, name + suffix, name) for name, path in models.items()]
        for language, compiler in (("c", "clang-22"), ("c++", "clang++-22")):
            program = bench.build(f"two{suffix}-{language}", "-x", language, source, "-x", "none",
                                  *parts, compiler=compiler)
            bench.run(program)
            print(f"{language} program with two {suffix} files: right")
    loader = bench.build("load-two", HERE / "programs" / "load_two.c")
    bench.run(loader, bench.folder / "add.so", bench.folder / "mul.so")
    print("two shared libraries opened with RTLD_GLOBAL: right")
