#!/bin/bash
# Builds onnxc into build/ (or $ONNXC_BUILD). Arguments go to cmake when the
# build folder is made. $ONNXC_TARGETS says what to build instead of everything.
set -euo pipefail
. "$(dirname "$0")/environment.sh"

if [ ! -f "$BUILD/build.ninja" ]; then
  say "Configuring $BUILD"
  onnx=$("$PYTHON" -c 'import importlib.util as u; print(u.find_spec("onnx").submodule_search_locations[0])')
  cmake -S "$ROOT" -B "$BUILD" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22 \
    -DONNXC_ONNX_PROTO_DIR="$onnx" "$@" >/dev/null
fi
say "Building $BUILD"
# Progress for people, silence for logs.
quiet=--quiet
[ -t 1 ] && quiet=
ninja -C "$BUILD" $quiet ${ONNXC_TARGETS-}
