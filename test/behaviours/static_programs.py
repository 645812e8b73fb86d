#!/usr/bin/env python3
"""Static programs, with glibc and with musl: a model runs in them, and starts threads when the
linker is told to take these from libc's archive; else it says so."""

import shutil

from common import HERE, Bench, binary_model, toolbox

THREADS = "-Wl,-u,pthread_create,-u,pthread_join"

with Bench(__doc__) as bench:
    archive = bench.compile(binary_model(bench.folder / "add.onnx", "Add"), "add.a", "add")
    wrapper, plain = (HERE / "programs" / name for name in ("static_use.cpp", "static_use.c"))
    program = bench.build("with", wrapper, archive, compiler="clang++-22",
                          flags=["-static", THREADS])
    bench.run(program)
    program = bench.build("without", wrapper, archive, compiler="clang++-22", flags=["-static"])
    result = toolbox.run([program], timeout=60)
    # Where libc brings them in for another reason, that is as good.
    bench.expect(result.code == 0 or result.code == 10 and THREADS in result.output, result.output)
    print("static with glibc: right with threads, a message without")

    if not shutil.which("musl-gcc"):
        print("musl-gcc: not here")
        raise SystemExit(0)
    for title, flags, threads in (("static", ["-static", THREADS], 1),
                                  ("static without threads", ["-static"], 0), ("dynamic", [], 1)):
        program = bench.build("musl-" + title.replace(" ", "-"), plain, archive, compiler="musl-gcc",
                              flags=flags)
        result = bench.run(program)
        bench.expect(f"threads: {threads}" in result.output, f"{title}: {result.output}")
        print(f"{title} with musl: right, {result.output.strip()}")
