"""What onnxc, onnxc-run and onnxc-opt say about wrong arguments and files.

usage: command_line.py FOLDER    (a folder for files, which is emptied)
"""

import os
import shutil
import subprocess
import sys

import numpy
import onnx
import onnx.parser

MODEL = """<ir_version: 8, opset_import: ["" : 18]>
g (float[n, 2] x) => (float[n, 2] y) { y = Exp(x) }"""

CONSTANT = """<ir_version: 8, opset_import: ["" : 18]>
g () => (float[1] y) <float[1] w = {3}> { y = Exp(w) }"""
SWAPPED = """<ir_version: 8, opset_import: ["" : 18]>
g (float[n, 2] "input_1", float[n, 2] "a/b") => (float[n, 2] y, float[1] z) <float[1] w = {3}> {
  y = Sub("input_1", "a/b")
  z = Identity(w)
}"""
EXTERNAL = """<ir_version: 8, opset_import: ["" : 18]>
g (float[2] x) => (float[2] y) { y = Add(x, w) }"""

# Arguments of onnxc, and what it says after "error: ".
ONNXC = [
    ([], "expected a model: onnxc <model.onnx>; see onnxc --help"),
    (["m.onnx", "n.onnx"], "onnxc: Too many positional arguments specified!"),
    (["m.onnx", "--frobnicate"], "onnxc: Unknown command line argument '--frobnicate'."),
    (["m.onnx", "-o"], "wrong arguments; see onnxc --help"),
    (["m.onnx", "--emit=exe"], "--emit: expected one of onnx, linalg, kernels, llvm, asm, obj, "
                               "staticlib, sharedlib, found 'exe'"),
    (["m.onnx", "--weights=cloud"], "--weights: expected one of embedded, file, found 'cloud'"),
    (["m.onnx", "--name="], "--name: expected a C identifier, found ''"),
    (["m.onnx", "--name=../x"], "--name: expected a C identifier, found '../x'"),
    (["m.onnx", "--name=9bad-name"], "--name: expected a C identifier, found '9bad-name'"),
    (["m.onnx", "--name=std"],
     "--name: 'std' is a name of C++, its library or onnxc; choose another"),
    *((["m.onnx", "-o", name + ending],
       f"the prefix of the symbols would be '{name}', a name of C++, its library or onnxc; "
       "choose another with --name")
      for name, ending in [("class", ".so"), ("int", ".a"), ("onnxc", ".o")]),
    (["m.onnx", "--dim=n"], "--dim: expected name=size or name=min..max, found 'n'"),
    (["m.onnx", "--dim==3"], "--dim: expected name=size or name=min..max, found '=3'"),
    (["m.onnx", "--dim=n="], "--dim: expected name=size or name=min..max, found 'n='"),
    (["m.onnx", "--dim=n=x"], "--dim n=x: expected a size, found 'x'"),
    (["m.onnx", "--dim=n=-1"], "--dim n=-1: expected a size, found '-1'"),
    (["m.onnx", "--dim=n=9999999999999999999"],
     "--dim n=9999999999999999999: expected a size, found '9999999999999999999'"),
    (["m.onnx", "--dim=n=1..x"], "--dim n=1..x: expected a size, found 'x'"),
    (["m.onnx", "--dim=n=..3"], "--dim n=..3: expected a size, found ''"),
    (["m.onnx", "--dim=n=5..3"], "--dim n=5..3: the lower bound is above the upper one"),
    (["m.onnx", "--dim=k=1..3"], "m.onnx: no input has a dim 'k' without a size"),
    (["m.onnx", "--shapes=x"], "--shapes: expected input:1x3x224x224, found 'x'"),
    (["m.onnx", "--shapes=:3"], "--shapes: expected input:1x3x224x224, found ':3'"),
    (["m.onnx", "--shapes=x:3xa"], "--shapes x:3xa: expected a size, found 'a'"),
    (["m.onnx", "--shapes=x:3x"], "--shapes x:3x: expected a size, found ''"),
    (["m.onnx", "--shapes=x:-3x2"], "--shapes x:-3x2: expected a size, found '-3'"),
    (["m.onnx", "--emit=obj", "-o", "q.so"],
     "--emit asks for an object file, but the ending of 'q.so' for a shared library; leave out "
     "--emit or give the file another ending"),
    (["m.onnx", "--emit=kernels", "-o", "q.ll"], "--emit asks for the IR of a stage, but the ending "
                                                 "of 'q.ll' for LLVM IR"),
    (["m.onnx", "--emit=staticlib", "-o", "q.s"], "--emit asks for an archive, but the ending of "
                                                  "'q.s' for assembly"),
    (["m.onnx", "-o", "-"], "-o -: a shared library cannot go to standard output; name a file"),
    (["m.onnx", "--emit=obj", "-o", "-"], "-o -: an object file cannot go to standard output"),
    (["m.onnx", "-o", "m.xyz"],
     "-o m.xyz: unknown ending '.xyz', expected .so, .a, .o, .obj, .s or .ll; with --emit also "
     "any other ending"),
    (["m.onnx", "--dim=n=3", "--dim=n=4"],
     "--dim n=4: 'n' has another size or bounds in the same command"),
    (["m.onnx", "--dim=n=3,n=1..4"],
     "--dim n=1..4: 'n' has another size or bounds in the same command"),
    (["m.onnx", "--dim=n=1..4,n=3"],
     "--dim n=3: 'n' has another size or bounds in the same command"),
    (["m.onnx", "--dim=n=1..4,n=1..3"],
     "--dim n=1..3: 'n' has another size or bounds in the same command"),
    (["m.onnx", "--shapes=x:3x2,x:4x2"],
     "--shapes x:4x2: 'x' has another shape in the same command"),
    (["m.onnx", "--emit=onnx", "-o", "m.onnx"],
     "m.onnx: cannot write 'm.onnx': the model is read from this file; choose another name"),
    (["m.onnx", "--emit=obj", "-o", "link.onnx", "--name=m"],
     "m.onnx: cannot write 'link.onnx': the model is read from this file"),
    (["weights.onnx", "--emit=obj", "-o", "net.weights"],
     "weights.onnx: cannot write 'net.weights': the model is read from this file; choose another "
     "name with -o or --name"),
    (["weights.onnx", "-o", "net.so", "--weights=file"],
     "weights.onnx: cannot write 'net.weights': the model is read from this file"),
    (["header.h", "-o", "header.so"], "header.h: cannot write 'header.h': the model is read from"),
    (["header.hpp", "-o", "header.o"],
     "header.hpp: cannot write 'header.hpp': the model is read from"),
    (["m.onnx", "--keep-input=w"], "m.onnx: the model has no input 'w'; its inputs are: 'x'"),
    (["m.onnx", "--mtriple=pdp11"],
     "m.onnx: unsupported target 'pdp11', expected one of x86_64-linux-gnu, aarch64-linux-gnu, "
     "armv7-linux-gnueabihf (untested) or riscv64-linux-gnu (untested)"),
    (["m.onnx", "--mtriple=x86_64-windows-msvc"],
     "m.onnx: unsupported target 'x86_64-unknown-windows-msvc', expected one of "),
    (["m.onnx", "--mtriple=wasm32"], "m.onnx: unsupported target 'wasm32', expected one of "),
    (["m.onnx", "--mtriple=x86_64-linux-gnux32"],
     "m.onnx: unsupported target 'x86_64-unknown-linux-gnux32', expected one of "),
    (["m.onnx", "--mtriple=aarch64-linux-gnu_ilp32"],
     "m.onnx: unsupported target 'aarch64-unknown-linux-gnu_ilp32', expected one of "),
    (["m.onnx", "--mtriple=x86_64-linux-gnu", "--mcpu=i686"],
     "m.onnx: cpu 'i686' is a 32-bit one, target 'x86_64-unknown-linux-gnu' has 64 bits; name "
     "another cpu or none"),
    (["m.onnx", "--mtriple=riscv64-linux-gnu", "--mcpu=generic-rv32"],
     "m.onnx: cpu 'generic-rv32' is a 32-bit one"),
    (["m.onnx", "--mcpu=abacus"], "m.onnx: unknown cpu 'abacus' for target '"),
    (["m.onnx", "--mtriple=riscv64-linux-gnu", "--mcpu=native"], "m.onnx: cpu 'native' is a "),
    (["m.onnx", "--mattr=avx"], "m.onnx: feature 'avx' must begin with '+' or '-'"),
    (["m.onnx", "--mattr=+magic"], "m.onnx: unknown feature 'magic' for target '"),
    (["m.onnx", "--mtriple=x86_64-linux-gnu", "--mattr=+amx-int8"],
     "m.onnx: feature 'amx-int8' is not supported: no kernel uses it, and a model does not check "
     "for it when it runs; --mattr=help lists what is"),
    (["m.onnx", "--mtriple=aarch64-linux-android21"],
     "m.onnx: unsupported target 'aarch64-unknown-linux-android21', expected one of "),
    (["--mcpu=help", "--mtriple=pdp11"], "unsupported target 'pdp11', expected one of "),
    (["m.onnx", "-o", "none/m.so"], "m.onnx: cannot write 'none/m.so': No such file or directory"),
    (["m.onnx", "-o", "folder"],
     "m.onnx: cannot write 'folder': it exists and is no regular file"),
    (["m.onnx", "--emit=onnx", "-o", "none/m.mlir"],
     "m.onnx: cannot write 'none/m.mlir': No such file or directory"),
    (["none.onnx"], "none.onnx: No such file or directory"),
    (["folder"], "folder: not a regular file"),
    (["empty.onnx"], "empty.onnx: not an ONNX model: no graph"),
    (["text.onnx"], "text.onnx: not an ONNX model: malformed protobuf, or nested more than 400 "
                    "messages deep"),
    (["huge.onnx"], "huge.onnx: file has 2147483648 bytes, more than the limit of 2147483647; "
                    "keep weights in external data"),
]

# Arguments of onnxc-run, and what it says.
RUN = [
    ([], "no model given; see --help\n"),
    (["m.so", "folder", "more"], "unexpected argument 'more'"),
    (["m.so", "--frobnicate=1"], "--frobnicate: unknown option '--frobnicate'"),
    (["m.so", "--seed"], "option '--seed' is unknown or lacks its value"),
    (["m.so", "--seed=-1"], "--seed: expected a number of at least 0, found '-1'"),
    (["m.so", "--threads=0"], "--threads: expected a number of at least 1, found '0'"),
    (["m.so", "--threads=3000000000"], "--threads: number too large: '3000000000'"),
    (["m.so", "--concurrent=two"], "--concurrent: expected a number of at least 1, found 'two'"),
    (["m.so", "--iterations="], "--iterations: expected a number of at least 1, found ''"),
    (["m.so", "--rtol=-1"], "--rtol: expected a tolerance, found '-1'"),
    (["m.so", "--atol=small"], "--atol: expected a tolerance, found 'small'"),
    (["m.so", "--hook=mine"], "--hook: unknown hook 'mine', expected 'serial'"),
    (["m.so", "--dim=n"], "--dim: expected NAME=SIZE, found 'n'"),
    (["m.so", "--dim=n=-2"], "--dim: expected a number of at least 0, found '-2'"),
    (["m.so", "--dim=k=2"], "the model has no dim 'k', only 'n'"),
    (["m.so", "--dim=n=4611686018427387904"], 'input "x" is too large'),
    (["m.so", "--input=x.npy"], "--input: expected [NAME=]@FILE, found 'x.npy'"),
    (["m.so", "--dim=n=10000000000000"],
     'input "x" of float32[10000000000000, 2] needs 80000000000000 bytes, this machine has '),
    (["m.so", "--input=none=@x.npy"], "the model has no input 'none', only 'x'"),
    (["m.so", "--expected=none=@x.npy"], "the model has no output 'none', only 'y'"),
    (["m.so", "--input=@x.npy", "--input=@x.npy"],
     "no input is left for 'x.npy': the model has 1"),
    (["m.so", "--input=@none.npy"], "cannot read 'none.npy': No such file or directory"),
    (["m.so", "--input=@text.npy"], "'text.npy' is neither a .npy file nor an ONNX tensor (.pb), it looks like text"),
    (["m.so", "--input=@cut.npy"], "'cut.npy' is cut off in its header"),
    (["m.so", "--input=@short.npy"],
     "'short.npy' has the wrong size (found 20 bytes, expected 24)"),
    (["m.so", "--input=@fortran.npy"], "'fortran.npy' is in Fortran order, expected C order"),
    (["m.so", "--input=@dates.npy"], "'dates.npy' has an element type that is not supported"),
    (["m.so", "--input=@text.pb"], "'text.pb' is neither a .npy file nor an ONNX tensor (.pb), it looks like text"),
    (["m.so", "--input=@external.pb"],
     "'external.pb': a tensor with external data is not supported here"),
    (["m.so", "--input=@short.pb"],
     "'short.pb': tensor of the wrong size (found 4 bytes, expected 8)"),
    (["m.so", "--input=@int.npy"], 'status 2: input "x": '),
    (["m.so", "--input=@vector.npy"], 'status 3: input "x": rank differs (found 1, expected 2)'),
    (["m.so", "--input=@wide.npy"], 'status 3: input "x": size of dim 1 (found 5, expected 2)'),
    (["m.so", "two"], "no input for 'two/input_1.pb': the model has 1 inputs (those with "
                      "initializers are constants unless compiled with --keep-input)"),
    (["m.so", "surplus"], "no output for 'surplus/output_1.npy': the model has 1 outputs"),
    (["m.so", "none"], "cannot read folder 'none': No such file or directory"),
    (["m.so", "x.npy"],
     "cannot read folder 'x.npy': Not a directory; give a file with --input=@FILE"),
    (["m.so", "folder"],
     "'folder' holds no input \"x\": expected input_0.pb, input_0.npy or x.npy"),
    (["m.so", "above"], "'above' holds no input \"x\": expected input_0.pb, input_0.npy or x.npy; "
                        "did you mean 'above/test_data_set_0'?"),
    (["m.so", "twice"], "both 'twice/input_0.npy' and 'twice/x.npy' hold input \"x\"; keep one"),
    (["constant.so", "folder"], "'folder' holds no output \"y\": expected output_0.pb, "
                                "output_0.npy or y.npy"),
    (["m.so", "--weights=none"],
     "--weights=none: this model has no side file, it has no weights"),
    (["arm.so"], "'arm.so' is for aarch64, this onnxc-run is for x86-64; compile without --mtriple "
                 "to run it here"),
    (["folder"], "cannot read 'folder': Is a directory"),
    (["empty.onnx"], "'empty.onnx' is no shared library, object or archive"),
    (["m.so", "--output=@none/y.npy"], "cannot write 'none/y.npy': No such file or directory"),
    (["m.so", "--profile=none/p.json"], "cannot write 'none/p.json': No such file or directory"),
    (["none.so"], "cannot read 'none.so': No such file or directory"),
    (["m.onnx"], "'m.onnx' is no shared library, object or archive; compile the model with onnxc first"),
]

# Arguments of onnxc-run for runs that succeed, and all that it prints.
SUCCESS = [
    (["m.so", "--dim=n=3"], "ran on random inputs; y float32[3, 2]\n"),
    (["m.so", "--input=@x.npy"], "ran on the given inputs; y float32[3, 2]\n"),
    (["m.so", "named"], "1 output equal (maximum error 0)\n"),
    (["m.so", "named/"], "1 output equal (maximum error 0)\n"),
    (["m.so", "numbered", "--atol=0.6"], "1 output equal (maximum error 0.5)\n"),
    (["m.so", "alone"], "ran on the given inputs, without outputs to compare with; "
                        "y float32[3, 2]\n"),
    (["m.so", "--dim=n=3", "--expected=@zero.npy", "--atol=10"],
     "1 output equal (maximum error 2.3) on random inputs\n"),
    (["m.so", "named", "--json"], '{"compared": 1, "equal": true}\n'),
    (["m.so", "alone", "--json"], '{"compared": 0}\n'),
    (["m.so", "--json"], '{"compared": 0}\n'),
    (["constant.so"], "ran; y float32[1]\n"),
    # Names that look like numbers: a folder with input_0 goes by numbers.
    (["swapped.so", "by_name"], "1 of 2 outputs equal (maximum error 0)\n"),
    (["swapped.so", "by_number"], "1 of 2 outputs equal (maximum error 0)\n"),
    (["swapped.so", "--input=input_1=@x.npy", "--dim=n=3"],
     "ran on the given inputs, random for \"a/b\"; y float32[3, 2], z float32[1]\n"),
]

# onnxc-opt is mlir-opt: our passes and their options are known to it.
OPT = [
    (["m.mlir", "--onnxc-frobnicate"], "Unknown command line argument '--onnxc-frobnicate'"),
    (["none.mlir"], "cannot open input file 'none.mlir'"),
]


def run(tool, arguments, code, message):
    """Whether the tool ends with this code and says this; prints what is wrong."""
    result = subprocess.run([tool, *arguments], capture_output=True, text=True, errors="replace")
    if result.returncode == code and message in result.stderr:
        return True
    print("%s %s\nexpected exit code %d and: %s\nfound exit code %d and: %s" % (
        tool, " ".join(arguments), code, message, result.returncode, result.stderr))
    return False


def succeed(arguments, printed):
    """Whether onnxc-run ends well and prints just this."""
    result = subprocess.run(["onnxc-run", *arguments], capture_output=True, text=True)
    if (result.returncode, result.stdout, result.stderr) == (0, printed, ""):
        return True
    print("onnxc-run %s\nexpected: %s\nfound exit code %d and: %s" % (
        " ".join(arguments), printed, result.returncode, result.stdout + result.stderr))
    return False


def make_files():
    with open("m.onnx", "wb") as file:
        file.write(onnx.parser.parse_model(MODEL).SerializeToString())
    os.link("m.onnx", "link.onnx")
    shutil.copy("m.onnx", "header.h")
    shutil.copy("m.onnx", "header.hpp")
    model = onnx.parser.parse_model(EXTERNAL)
    weights = onnx.numpy_helper.from_array(numpy.ones([2], numpy.float32), "w")
    model.graph.initializer.append(weights)
    onnx.save(model, "weights.onnx", save_as_external_data=True, location="net.weights",
              size_threshold=0)
    os.mkdir("folder")
    open("empty.onnx", "w").close()
    with open("text.onnx", "w") as file:
        file.write("no model\n")
    with open("huge.onnx", "w") as file:
        file.truncate(1 << 31)


def make_run_files():
    """Good and bad inputs of the model, which is compiled here."""
    subprocess.run(["onnxc", "m.onnx"], check=True)
    good = numpy.zeros([3, 2], numpy.float32)
    for name, array in (("x", good), ("fortran", numpy.asfortranarray(good + [[1, 2]])),
                        ("int", good.astype(numpy.int64)), ("vector", good[0]),
                        ("wide", numpy.zeros([3, 5], numpy.float32)), ("zero", good),
                        ("dates", numpy.zeros([3, 2], "datetime64[s]"))):
        numpy.save(name + ".npy", array)
    content = open("x.npy", "rb").read()
    for name, part in (("text.npy", b"no array at all"), ("cut.npy", content[:40]),
                       ("short.npy", content[:-4]), ("text.pb", b"no tensor")):
        with open(name, "wb") as file:
            file.write(part)
    os.mkdir("two")
    for i in range(2):
        with open("two/input_%d.pb" % i, "wb") as file:
            file.write(onnx.numpy_helper.from_array(good).SerializeToString())
    tensor = onnx.TensorProto(dims=[2], data_type=1, float_data=[1])
    with open("short.pb", "wb") as file:
        file.write(tensor.SerializeToString())
    tensor = onnx.TensorProto(dims=[2], data_type=1, data_location=onnx.TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value="x")
    with open("external.pb", "wb") as file:
        file.write(tensor.SerializeToString())


def make_folders():
    """Folders of inputs and outputs, for three models."""
    for name, text in (("constant", CONSTANT), ("swapped", SWAPPED)):
        with open(name + ".onnx", "wb") as file:
            file.write(onnx.parser.parse_model(text).SerializeToString())
        subprocess.run(["onnxc", name + ".onnx"], check=True)
    subprocess.run(["onnxc", "m.onnx", "--mtriple=aarch64-linux-gnu", "-o", "arm.so"], check=True)
    zero, one = (numpy.full([3, 2], number, numpy.float32) for number in (0, 1))
    folders = {
        "named": {"x": zero, "y": one},
        "numbered": {"input_0": zero, "output_0": one + 0.5},
        "alone": {"x": zero},
        "surplus": {"x": zero, "output_0": one, "output_1": one},
        "twice": {"input_0": zero, "x": zero},
        "by_name": {"input_1": zero, "a_b": one, "y": zero - one},
        "by_number": {"input_0": one, "input_1": zero, "y": one},
        "above/test_data_set_0": {"x": zero},
    }
    for folder, arrays in folders.items():
        os.makedirs(folder)
        for name, array in arrays.items():
            numpy.save(os.path.join(folder, name + ".npy"), array)


def main():
    shutil.rmtree(sys.argv[1], ignore_errors=True)
    os.makedirs(sys.argv[1])
    os.chdir(sys.argv[1])
    make_files()
    before = sorted(os.listdir("."))
    good = [run("onnxc", arguments, 1, "error: " + message) for arguments, message in ONNXC]
    if sorted(os.listdir(".")) != before:
        good.append(False)
        print("files were left behind:", os.listdir("."))
    make_run_files()
    make_folders()
    good += [run("onnxc-run", arguments, 2, "onnxc-run: error: " + message)
             for arguments, message in RUN]
    good += [succeed(arguments, printed) for arguments, printed in SUCCESS]
    good += [run("onnxc-opt", arguments, 1, message) for arguments, message in OPT]
    print("%d of %d messages" % (sum(good), len(good)))
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
