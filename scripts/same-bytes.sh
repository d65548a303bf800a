#!/usr/bin/env bash
# Builds Compere for processors of different age and makes the same films with each: every byte of the pictures and of
# the tone voice's sound must be the same. Takes a build of everything for each processor, so ./test leaves it out; run it
# after changes of arithmetic, of a kernel, of the toolchain or of a library that computes.
#   scripts/same-bytes.sh [SCENE.json…]      default: examples/shapes.json examples/animations.json
#   SAME_BYTES_CPUS="x86-64 x86-64-v3"       which processors (default: x86-64 x86-64-v2 x86-64-v3 native)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scenes=("$@")
[ $# -gt 0 ] || scenes=(examples/shapes.json examples/animations.json)
read -ra cpus <<<"${SAME_BYTES_CPUS:-x86-64 x86-64-v2 x86-64-v3 native}"
out="$(mktemp -d)"
trap 'rm -rf "$out"' EXIT
failed=0

for cpu in "${cpus[@]}"; do
  target="target/same-bytes/$cpu"
  RUSTFLAGS="-C target-cpu=$cpu" cargo build --release --quiet --target-dir "$target"
  for scene in "${scenes[@]}"; do
    film="$out/$(basename "$scene" .json)-$cpu.mp4"
    "$target/release/compere" --data "$out/data-$cpu" render "$scene" -o "$film" --no-cache --resolution 480
    first="$out/$(basename "$scene" .json)-${cpus[0]}.mp4"
    if cmp --silent "$first" "$film"; then
      printf 'same    %s on %s\n' "$scene" "$cpu"
    else
      printf 'DIFFERS %s on %s from %s\n' "$scene" "$cpu" "${cpus[0]}"
      failed=1
    fi
  done
done
exit "$failed"
