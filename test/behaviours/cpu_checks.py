#!/usr/bin/env python3
"""A CPU that lacks what a model was built for gives a status, on 32-bit Arm and RISC-V.

Nothing of those systems is here but their CPUs under qemu-user: the programs have no
C library, as the models need none.
"""

import shutil

from common import HERE, Bench, binary_model, toolbox

OK, UNSUPPORTED_CPU = 0, 9
LACKS = "this CPU lacks what the model was built for: "
# Flags of onnxc, and what each CPU of qemu's says to the model.
CASES = [
    ("armv7-linux-gnueabihf", (), "qemu-arm",
     [("cortex-a8", OK, ""), ("max", OK, "")]),
    ("armv7-linux-gnueabihf", ("--mcpu=cortex-a15",), "qemu-arm",
     [("cortex-a15", OK, ""), ("cortex-a8", UNSUPPORTED_CPU, LACKS + "vfp4, fp16, hwdiv-arm")]),
    ("arm-linux-gnueabihf", ("--mcpu=cortex-a53",), "qemu-arm",
     [("max", OK, ""), ("cortex-a15", UNSUPPORTED_CPU, LACKS + "v8, fp-armv8")]),
    ("riscv64-linux-gnu", (), "qemu-riscv64", [("rv64", OK, "")]),
    ("riscv64-linux-gnu", ("--mattr=+v",), "qemu-riscv64",
     [("rv64,v=true,vext_spec=v1.0", OK, ""), ("rv64", UNSUPPORTED_CPU, LACKS + "v;")]),
    ("riscv64-linux-gnu", ("--mattr=+v,+zvl512b",), "qemu-riscv64",
     [("rv64,v=true,vext_spec=v1.0,vlen=512", OK, ""),
      ("rv64,v=true,vext_spec=v1.0,vlen=128", UNSUPPORTED_CPU, LACKS + "zvl256b, zvl512b")]),
]

with Bench(__doc__) as bench:
    model = binary_model(bench.folder / "add.onnx", "Add")
    for number, (triple, flags, emulator, cpus) in enumerate(CASES):
        name = f"m{number}"
        archive = bench.compile(model, name + ".a", name, f"--mtriple={triple}", *flags)
        if not shutil.which(emulator):
            print(f"{emulator} is not here: not run")
            continue
        cpu = ["-march=rv64gc", "-mabi=lp64d"] if triple.startswith("riscv") else ["-mfpu=vfpv3-d16"]
        program = bench.build(
            name, HERE / "programs" / "check_cpu.c", archive,
            flags=[f"--target={triple}", "-fuse-ld=lld-22", "-nostdlib", "-static", "-ffreestanding",
                   f"-DMODEL_init={name}_init", *cpu])
        for cpu, status, message in cpus:
            result = toolbox.run([emulator, "-cpu", cpu, program], timeout=60)
            bench.expect(result.code == status and message in result.output,
                         f"{triple} {' '.join(flags)} on {cpu}: expected status {status} and "
                         f"'{message}', found {result.code}\n{result.output}")
        print(f"{triple} {' '.join(flags)}: {len(cpus)} CPUs")
