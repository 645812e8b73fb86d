"""lit configuration: .mlir and .test files whose RUN lines use our tools."""

import os
import shutil

import lit.formats

config.name = "onnxc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["unit", "cases", "models", "support", "Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.onnxc_build_dir, "test", "lit")

# onnxc, onnxc-opt, onnxc-run, then FileCheck, not, split-file, llvm-objdump ...
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.onnxc_build_dir, "bin"), config.llvm_tools_dir, os.environ["PATH"]])
for variable in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]

config.substitutions.append(("%python", config.python))
config.substitutions.append(("%make_models", "%s %s/support/make_models.py" % (
    config.python, config.test_source_root)))
config.substitutions.append(("%runtime_include", os.path.join(config.onnxc_source_dir, "runtime")))

if shutil.which("qemu-aarch64"):
    config.available_features.add("qemu-aarch64")
if config.sanitize:
    config.available_features.add("sanitize")
config.available_features.add(os.uname().machine)
