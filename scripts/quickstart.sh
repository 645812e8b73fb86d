#!/bin/bash
# From a fresh clone to a C++ program with a compiled model in it: installs what
# is missing, builds onnxc, compiles a trained model (the text-direction
# classifier of the package rapidocr-onnxruntime), links it, and compares it with
# onnxruntime.
set -euo pipefail
. "$(dirname "$0")/environment.sh"
"$ROOT/scripts/install-deps.sh"
ONNXC_TARGETS="onnxc onnxc-run" "$ROOT/scripts/build.sh"

out=$BUILD/quickstart
mkdir -p "$out"
cd "$out"
cp "$("$PYTHON" "$ROOT/scripts/quickstart.py" --model)" textdir.onnx

say "Compiling textdir.onnx"
TIMEFORMAT='compile time: %R s'
time "$BUILD/bin/onnxc" textdir.onnx -o textdir.so --name=textdir
ls -1 textdir.so textdir.h textdir.hpp

say "Linking samples/quickstart/main.cpp with textdir.so"
clang++-22 -std=c++17 -O2 -I. "$ROOT/samples/quickstart/main.cpp" ./textdir.so -Wl,-rpath,'$ORIGIN' -o textdir

say "Running it beside onnxruntime"
"$PYTHON" "$ROOT/scripts/quickstart.py" ./textdir
