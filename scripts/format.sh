#!/bin/bash
# Formats the C and C++ sources.
#   --check  changes nothing; fails when a file would change
set -euo pipefail
. "$(dirname "$0")/environment.sh"
case "${1-}" in
"") mode=(-i) ;;
--check) mode=(--dry-run -Werror) ;;
*) sed -n '2,3s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
cd "$ROOT"
find bench cmake codegen compiler dialects lowering runtime samples test \
  \( -name build -prune \) -o -name '*.[ch]' -print0 -o -name '*.cpp' -print0 |
  xargs -0 clang-format-22 "${mode[@]}"
