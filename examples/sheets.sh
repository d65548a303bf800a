#!/usr/bin/env bash
# Renders every example, small, and puts six frames of each side by side into docs/pictures/examples; of the cast
# twenty, one of each presenter.
#   examples/sheets.sh [NAME…]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
compere="${COMPERE:-${CARGO_TARGET_DIR:-target}/release/compere}"
films=out/examples
mkdir -p "$films" docs/pictures/examples
examples/media/make.sh assets

names=("$@")
if [ $# -eq 0 ]; then
  for file in examples/*.json; do names+=("$(basename "$file" .json)"); done
fi
for name in "${names[@]}"; do
  film="$films/$name.mp4"
  "$compere" render "examples/$name.json" -o "$film" --resolution 480
  seconds="$(ffprobe -v error -show_entries format=duration -of csv=p=0 "$film")"
  columns=3
  [ "$name" != cast ] || columns=10
  # Frames spread evenly over the film, the first half a step into it.
  rate="$(awk -v s="$seconds" -v n="$((columns * 2))" 'BEGIN { printf "%.6f", n / s }')"
  ffmpeg -v error -y -i "$film" -frames:v 1 -q:v 4 -update 1 \
    -vf "fps=$rate:round=near,scale=w=320:h=320:force_original_aspect_ratio=decrease:force_divisible_by=2,tile=${columns}x2:padding=4:color=white" \
    "docs/pictures/examples/$name.jpg"
done
