#!/bin/bash
# Installs what is missing, builds, and runs the tests that CI runs.
#   --all  also the slow tests, and the rest again in a build with the address
#          and undefined-behaviour sanitizers
set -euo pipefail
. "$(dirname "$0")/environment.sh"
all=
case "${1-}" in
"") ;;
--all) all=1 ;;
*) sed -n '2,5s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac

"$ROOT/scripts/install-deps.sh"
"$ROOT/scripts/build.sh" -DONNXC_WERROR=ON
jobs=$(nproc)
if [ -z "$all" ]; then
  ctest --test-dir "$BUILD" -L quick -j "$jobs" --output-on-failure
  exit
fi

failed=0
export ONNXC_BUILD=$ROOT/build-asan
"$ROOT/scripts/build.sh" -DONNXC_SANITIZE=ON -DONNXC_WERROR=ON
# libMLIR, which has no checks, takes memory from the same slabs as our code.
ASAN_OPTIONS=detect_leaks=0:allow_user_poisoning=0 UBSAN_OPTIONS=print_stacktrace=1 \
  ctest --test-dir "$ONNXC_BUILD" -LE slow -j "$jobs" --output-on-failure || failed=1
ctest --test-dir "$BUILD" -j "$jobs" --output-on-failure || failed=1
exit $failed
