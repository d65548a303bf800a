#!/usr/bin/env bash
# Fetches the networks that own presenters are made with: face detection (short range), face landmarks with attention, and
# the one that tells a person from what is behind, out of the PyPI package mediapipe 0.10.14 (Apache-2.0). Nothing else of the
# package is kept.
#
#   scripts/fetch-faces.sh [DEST]      DEST is the assets folder, default: assets
#
# Idempotent: does nothing when DEST/faces is complete. Needs pip (or uv) and python3.
set -euo pipefail

dest="${1:-assets}/faces"
version=0.10.14
sum=9b1e72d754cd9e1b4b88d80ec9ead2f1cbe8424b7f883d3bda53341b982a9f8b
stamp="$dest/.mediapipe-$version-2"

if [ -e "$stamp" ]; then
  echo "face networks are complete: $dest"
  exit 0
fi

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
if command -v pip >/dev/null; then pip=(pip); else pip=(python3 -m pip); fi
# One wheel for every machine: the networks in it are the same for all.
"${pip[@]}" download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
  --python-version 3.12 --platform manylinux_2_17_x86_64 --dest "$work" "mediapipe==$version"
wheel="$(echo "$work"/mediapipe-*.whl)"
echo "$sum  $wheel" | sha256sum --check --quiet

python3 - "$wheel" "$work/out" <<'PY'
import os, sys, zipfile
wheel, out = sys.argv[1:]
wanted = {
    "mediapipe/modules/face_detection/face_detection_short_range.tflite",
    "mediapipe/modules/face_landmark/face_landmark_with_attention.tflite",
    "mediapipe/modules/selfie_segmentation/selfie_segmentation.tflite",
    "mediapipe-%s.dist-info/LICENSE" % "0.10.14",
}
os.makedirs(out)
with zipfile.ZipFile(wheel) as archive:
    for name in wanted:
        with open(os.path.join(out, os.path.basename(name)), "wb") as file:
            file.write(archive.read(name))
PY

mkdir -p "$(dirname "$dest")"
rm -rf "$dest"
mv "$work/out" "$dest"
touch "$stamp"
echo "face networks fetched: $dest ($(du -sh "$dest" | cut -f1))"
