"""Tables of sizes and likeness: sizes.py TOLD PAGE PRESETS KEPT JUDGE"""

import json
import os
import pathlib
import re
import subprocess
import sys

from tables import put, table


# Ours say what their colours are, and what was drawn says nothing: FFmpeg would convert the one to what it takes the other for.
ALIKE = "setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709"


def likeness(judge, coded, drawn):
    """VMAF of a coded film beside what was drawn, every third picture; none without a judge."""
    if not os.access(judge, os.X_OK):
        return "–"
    done = subprocess.run(
        [judge, "-hide_banner", "-nostdin", "-r", "30", "-i", coded, "-r", "30", "-i", drawn,
         "-lavfi", f"[0:v]{ALIKE}[a];[1:v]{ALIKE}[b];[a][b]libvmaf=n_threads=2:n_subsample=3", "-f", "null", "-"],
        capture_output=True, text=True,
    )
    score = re.search(r"VMAF score: ([0-9.]+)", done.stderr)
    if done.returncode or not score:
        raise SystemExit(f"performance: no VMAF of {coded}: {done.stderr[-400:]}")
    return f"{float(score[1]):.2f}"


def main(told, page, presets, kept, judge):
    presets = presets.split(",")
    films = {}
    for row in json.loads(pathlib.Path(told).read_text())["figures"]:
        film, what = row["name"].split(": ", 1)
        films.setdefault(film, {})[what] = row["value"]

    def numbers(figures, wanted):
        return [f"{figures[what]:.{digits}f}" if what in figures else "–" for what, digits in wanted]

    sizes = [("size", 0), ("bytes of key frames", 0)]
    sizes += [(f"size beside {preset} at equal quality", 2) for preset in presets]
    put(page, "sizes", table(
        ["film", "bytes, kB", "of them key frames", *presets],
        [[film, *numbers(figures, sizes)] for film, figures in films.items()],
    ))
    costs = [("processor time of a picture", 1)]
    costs += [(f"{preset} processor time of a picture", 1) for preset in presets]
    put(page, "costs", table(
        ["film", "ours", *presets], [[film, *numbers(figures, costs)] for film, figures in films.items()],
    ))
    quality = [("PSNR", 2), ("PSNR where it moves", 2), ("SSIM", 4), ("SSIM where it moves", 4)]
    rows = []
    for film, figures in films.items():
        folder = pathlib.Path(kept, film.replace(" ", "-"))
        vmaf = lambda name: likeness(judge, str(folder / f"{name}.h264"), str(folder / "drawn.mkv"))
        theirs = [("veryfast crf 21", 0)] + [(f"veryfast {what}", digits) for what, digits in quality]
        rows.append([film, *numbers(figures, quality), vmaf("ours"), *numbers(figures, theirs), vmaf("veryfast-21")])
    head = ["PSNR", "where it moves", "SSIM", "where it moves", "VMAF"]
    put(page, "likeness", table(["film", *head, "x264 crf 21: bytes, kB", *head], rows))


main(*sys.argv[1:])
