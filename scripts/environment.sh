# Sourced by the scripts: where things are.
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
VENV=$ROOT/.venv
PYTHON=$VENV/bin/python
BUILD=${ONNXC_BUILD:-$ROOT/build}

say() { printf '\n== %s\n' "$*"; }
