#!/usr/bin/env python3
"""Generated headers compile without a warning under the flags that strict projects use, with
clang, gcc and clang-tidy's bugprone checks; the wrapper's objects can be moved, and inputs and
outputs lie where the program wants."""

import shutil

from common import FLOAT, HERE, INT64, Bench, helper, save, toolbox, value

# What warns of every program: compatibility with C++98, padding, pointers.
NOISE = ["-Wno-c++98-compat", "-Wno-c++98-compat-pedantic", "-Wno-padded",
         "-Wno-unsafe-buffer-usage", "-Wno-unsafe-buffer-usage-in-libc-call",
         "-Wno-declaration-after-statement"]
GCC = ["-Wall", "-Wextra", "-pedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion",
       "-Wcast-qual", "-Wcast-align=strict", "-Wduplicated-cond", "-Wduplicated-branches",
       "-Wlogical-op", "-Wnull-dereference", "-Wdouble-promotion", "-Wformat=2", "-Wswitch-default",
       "-Wswitch-enum", "-Wundef", "-Wredundant-decls"]
GXX = ["-Wold-style-cast", "-Wuseless-cast", "-Wzero-as-null-pointer-constant",
       "-Woverloaded-virtual", "-Wnon-virtual-dtor", "-Wmissing-declarations"]
COMPILERS = [("clang-22", "header_use.c", ["-std=c11", "-Weverything", *NOISE]),
             ("clang++-22", "wrapper_use.cpp", ["-std=c++17", "-Weverything", *NOISE]),
             ("clang++-22", "wrapper_use.cpp", ["-std=c++20", "-Weverything", *NOISE]),
             ("gcc", "header_use.c", ["-std=c11", *GCC, "-Wmissing-prototypes"]),
             ("g++", "wrapper_use.cpp", ["-std=c++17", *GCC, *GXX])]

with Bench(__doc__) as bench:
    add = save(bench.folder / "add.onnx", [helper.make_node("Add", ["a", "b"], ["y"])],
               [value("a", [4, 3]), value("b", [4, 3])], [value("y", [4, 3])])
    finder = save(bench.folder / "finder.onnx",
                  [helper.make_node("NonZero", ["x"], ["places"]),
                   helper.make_node("Gather", ["x", "index"], ["picked"])],
                  [value("x", ["n"], FLOAT), value("index", [1], INT64)],
                  [value("places", [1, None], INT64), value("picked", [1], FLOAT)])
    parts = [bench.compile(path, f"{path.stem}.a", path.stem) for path in (add, finder)]
    for number, (compiler, source, flags) in enumerate(COMPILERS):
        if not shutil.which(compiler):
            print(f"{compiler}: not here")
            continue
        program = bench.build(f"use{number}", HERE / "programs" / source, *parts, compiler=compiler,
                              flags=[*flags, "-Werror", "-pthread"])
        bench.run(program)
        print(f"{compiler} {flags[0]}: no warning, and right")
    # The wrapper frees what it takes, whichever way an object goes.
    program = bench.build("sanitized", HERE / "programs" / "wrapper_use.cpp", *parts,
                          compiler="clang++-22",
                          flags=["-std=c++17", "-pthread", "-fsanitize=address,undefined"])
    bench.run(program)
    tidy = shutil.which("clang-tidy-22") or shutil.which("clang-tidy")
    if tidy:
        result = toolbox.run([tidy, "--checks=-*,bugprone-*", "--header-filter=.*",
                              "--config={}", "--warnings-as-errors=*", HERE / "programs" / "wrapper_use.cpp", "--",
                              "-std=c++17", f"-I{bench.folder}"], timeout=300)
        bench.expect(result.code == 0, result.output)
        print(f"{tidy}: no finding")
