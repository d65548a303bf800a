"""Pictures of where a film's time goes: pictures.py COMPERE PAGE

Beside the page, in `pictures`: timeline.svg, what both cores do while a film of twenty scenes is made whose words are
known, from samples of every core; profile.svg, its processor time beside that of `profile.json`, which lies there from an
earlier state of the product.
"""

import collections
import json
import pathlib
import subprocess
import sys
import tempfile

from tables import load, put, scene, script, table, write

RATE = 400
# Colours stay apart for those who see few of them.
KINDS = {
    "speech": "#009e73",
    "presenter and composition": "#0072b2",
    "libx264": "#e69f00",
    "pieces looked at, sound": "#cc79a7",
    "kernel and rest": "#999999",
    "other programs": "#dddddd",
    "idle": "#ffffff",
}


def kind(comm, pid, own, library, symbol):
    if comm == "swapper" or pid == 0:
        return "idle"
    if pid not in own and comm != "ffmpeg":
        return "other programs"
    if comm == "ffmpeg":
        return "pieces looked at, sound"
    if "libx264" in library:
        return "libx264"
    if comm.startswith("rten") or "rten" in symbol or "compere_speech" in symbol:
        return "speech"
    return "presenter and composition" if library.endswith("/compere") else "kernel and rest"


def samples(compere, work):
    """Of the second of two films which say the same: time, core and kind."""
    films = [
        write(work / f"{title}.json", [scene(n, script(n), title=title) for n in range(20)]) for title in ("A", "B")
    ]
    render = lambda film: [compere, "--data", str(work / "data"), "render", film, "-o", str(work / "film.mp4")]
    subprocess.run(render(films[0]), check=True, stdout=subprocess.DEVNULL)
    record = ["perf", "record", "-q", "-a", "-F", str(RATE), "-o", str(work / "perf.data"), "--", *render(films[1])]
    subprocess.run(record, check=True, stdout=subprocess.DEVNULL)
    told = subprocess.run(
        ["perf", "script", "-i", str(work / "perf.data"), "-F", "comm,pid,cpu,time,ip,sym,dso"],
        check=True, capture_output=True, text=True,
    ).stdout
    # `comm pid [cpu] time: ip symbol (library)`; the film's process is the `compere` with most samples.
    rows = []
    for line in told.splitlines():
        head, _, rest = line.partition(": ")
        words = head.split()
        if len(words) < 4 or not words[-2].startswith("["):
            continue
        symbol, _, library = rest.strip().rpartition(" (")
        rows.append((" ".join(words[:-3]), int(words[-3]), int(words[-2][1:-1]), float(words[-1]), symbol, library.rstrip(")")))
    counted = collections.Counter(row[1] for row in rows if row[5].endswith("/compere"))
    own = {counted.most_common(1)[0][0]}
    return [(at, core, kind(comm, pid, own, library, symbol)) for comm, pid, core, at, symbol, library in rows]


def span(seen):
    return min(row[0] for row in seen), max(row[0] for row in seen)


def shares(seen):
    """Of what all cores could have done. Not every kernel takes samples of an idle core: those that lack are idle, too."""
    counted = collections.Counter(what for _, _, what in seen)
    start, end = span(seen)
    could = max(len(seen), RATE * (end - start) * len({core for _, core, _ in seen}))
    told = {what: counted[what] / could for what in KINDS}
    return {**told, "idle": told["idle"] + 1 - len(seen) / could}


def text(x, y, words, more=""):
    return f'<text x="{x}" y="{y}" {more}>{words}</text>'


def picture(width, height, parts):
    style = "<style>text{font:12px sans-serif;fill:#222}</style>"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        f'{style}<rect width="{width}" height="{height}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def legend(y, of):
    parts, x = [], 10
    for what, color in KINDS.items():
        words = f"{what} {of[what]:.1%}"
        parts.append(f'<rect x="{x}" y="{y - 10}" width="11" height="11" fill="{color}" stroke="#888" stroke-width=".5"/>')
        parts.append(text(x + 15, y, words))
        x += 24 + 6.6 * len(words)
    return parts


def timeline(seen, to, busy):
    start, end = span(seen)
    cores = sorted({row[1] for row in seen})
    columns, high, left = 480, 90, 60
    counted = collections.defaultdict(collections.Counter)
    for at, core, what in seen:
        counted[core, min(columns - 1, int((at - start) / (end - start) * columns))][what] += 1
    width = left + 2 * columns + 10
    parts = [text(10, 18, f"What each core does while a film of twenty scenes is made: {end - start:.1f} s, load before {busy:.2f}")]
    for row, core in enumerate(cores):
        top = 30 + row * (high + 14)
        parts.append(text(10, top + high / 2, f"core {core}"))
        parts.append(f'<rect x="{left}" y="{top}" width="{2 * columns}" height="{high}" fill="none" stroke="#888" stroke-width=".5"/>')
        for column in range(columns):
            here, y = counted[core, column], top + high
            total = max(sum(here.values()), RATE * (end - start) / columns)
            for what, color in KINDS.items():
                if not here[what] or what == "idle":
                    continue
                tall = high * here[what] / total
                y -= tall
                parts.append(f'<rect x="{left + 2 * column}" y="{y:.1f}" width="2" height="{tall:.1f}" fill="{color}"/>')
    bottom = 30 + len(cores) * (high + 14)
    for tenth in range(0, 11, 2):
        parts.append(text(left + tenth / 10 * 2 * columns - 8, bottom + 4, f"{(end - start) * tenth / 10:.0f} s"))
    to.write_text(picture(width, bottom + 40, parts + legend(bottom + 28, shares(seen))))


def profile(now, before, to):
    """Of the film's own time: others' and idle time left out."""
    own = [what for what in KINDS if what not in ("idle", "other programs")]
    rows, top = [text(10, 18, "Where the processor time of a film goes whose words are known, in seconds for a second of film")], 30
    most = max(sum(one[what] for what in own) for one in (now, before) if one)
    for label, one in (("before", before), ("now", now)):
        if not one:
            continue
        x = 70.0
        rows.append(text(10, top + 22, label))
        for what in own:
            wide = 700 * one[what] / most
            rows.append(f'<rect x="{x:.1f}" y="{top}" width="{wide:.1f}" height="34" fill="{KINDS[what]}" stroke="#fff"/>')
            if wide > 40:
                rows.append(text(f"{x + 5:.1f}", top + 22, f"{one[what]:.3f}"))
            x += wide
        rows.append(text(f"{x + 6:.1f}", top + 22, f"{sum(one[what] for what in own):.3f}"))
        top += 44
    x = 70
    for what in own:
        rows.append(f'<rect x="{x}" y="{top + 2}" width="11" height="11" fill="{KINDS[what]}"/>')
        rows.append(text(x + 15, top + 12, what))
        x += 24 + 6.8 * len(what)
    to.write_text(picture(860, top + 26, rows))


def main(compere, page):
    folder = pathlib.Path(page).parent / "pictures"
    with tempfile.TemporaryDirectory() as work:
        work, busy = pathlib.Path(work), load()
        seen = samples(compere, work)
        lasts = float(subprocess.check_output(
            ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", str(work / "film.mp4")]
        ))
    timeline(seen, folder / "timeline.svg", busy)
    share, (start, end) = shares(seen), span(seen)
    cores = len({core for _, core, _ in seen})
    now = {what: share[what] * cores * (end - start) / lasts for what in KINDS}
    kept = folder / "profile.json"
    profile(now, json.loads(kept.read_text()) if kept.exists() else None, folder / "profile.svg")
    if not kept.exists():
        kept.write_text(json.dumps(now, indent=1) + "\n")
    rows = [[what, f"{now[what]:.3f} s", f"{share[what]:.1%}"] for what in KINDS]
    put(page, "pictures", f"""![What each core does while a film is made](pictures/timeline.svg)

![Where the processor time of a film goes](pictures/profile.svg)

Load {busy:.2f} before.

""" + table(["what", "of a core, for a second of film", "of all cores"], rows))


if __name__ == "__main__":
    main(*sys.argv[1:])
