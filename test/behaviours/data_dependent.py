#!/usr/bin/env python3
"""Outputs whose size depends on the data, from C++ and C: right, empty, again, after a failure."""

from common import FLOAT, INT64, Bench, HERE, helper, save, value

with Bench(__doc__) as bench:
    # An index out of range ends a run whose first output has been allocated.
    model = save(bench.folder / "finder.onnx",
                 [helper.make_node("NonZero", ["x"], ["places"]),
                  helper.make_node("Gather", ["x", "index"], ["picked"])],
                 [value("x", ["n"], FLOAT), value("index", [1], INT64)],
                 [value("places", [1, None], INT64), value("picked", [1], FLOAT)])
    archive = bench.compile(model, "finder.a", "finder")
    warnings = ("-Wall", "-Wextra", "-Wshadow", "-pedantic", "-Werror", "-fsanitize=address",
                "-pthread")
    for source, compiler, standard in (("data_dependent.cpp", "clang++-22", "-std=c++17"),
                                       ("data_dependent.c", "clang-22", "-std=c11")):
        program = bench.build(source.replace(".", "_"), HERE / "programs" / source, archive,
                              compiler=compiler, flags=(standard, *warnings))
        bench.run(program)
        print(f"{source}: right")
