#!/usr/bin/env bash
# Measures again what docs/performance.md says of sizes, and writes the tables there.
#
#   scripts/performance.sh [DIR]     DIR keeps what was drawn, so that a second run takes minutes less
#   PRESETS=veryfast,faster,medium   whom to compare with; veryfast alone, where nothing is said
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
compere=${COMPERE:-target/release/compere}
keep=${1:-$(mktemp -d)}
page=docs/performance.md
presets=${PRESETS:-veryfast}
told=$(mktemp)
trap 'rm -f "$told"' EXIT
"$compere" bench size --presets "$presets" --keep "$keep" --json >"$told"
python3 - "$told" "$page" "$presets" <<'PY'
import json, sys

told, page, presets = sys.argv[1:]
presets = presets.split(",")
rows = json.load(open(told))["figures"]
films = {}
for row in rows:
    film, what = row["name"].split(": ", 1)
    films.setdefault(film, {})[what] = row["value"]

def table(head, cells):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join([film, *cells(figures)]) + " |" for film, figures in films.items()]
    return "\n".join(lines)

def number(figures, what, digits):
    return f"{figures[what]:.{digits}f}" if what in figures else "–"

sizes = table(
    ["film", "bytes, kB", "of them key frames", *presets],
    lambda f: [number(f, "size", 0), number(f, "bytes of key frames", 0)]
    + [number(f, f"size beside {preset} at equal quality", 2) for preset in presets],
)
likeness = table(
    ["film", "PSNR", "where it moves", "SSIM", "where it moves", "x264 crf 21: bytes, kB", "PSNR", "where it moves", "SSIM", "where it moves"],
    lambda f: [number(f, "PSNR", 2), number(f, "PSNR where it moves", 2), number(f, "SSIM", 4), number(f, "SSIM where it moves", 4)]
    + [number(f, "veryfast crf 21", 0)]
    + [number(f, f"veryfast {what}", digits) for what, digits in (("PSNR", 2), ("PSNR where it moves", 2), ("SSIM", 4), ("SSIM where it moves", 4))],
)
text = open(page).read()
for name, made in (("sizes", sizes), ("likeness", likeness)):
    start, end = f"<!-- {name} -->\n", f"\n<!-- /{name} -->"
    head, rest = text.split(start)
    text = head + start + made + end + rest.split(end, 1)[1]
open(page, "w").write(text)
PY
