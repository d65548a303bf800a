"""Tables of time, with and without the vector kernels: times.py COMPERE PAGE RUNS"""

import json
import os
import subprocess
import sys

from tables import load, put, table

PATHS = {"vector kernels": "best", "scalar kernels": "scalar"}
BENCHES = ["film", "warm", "speech", "api"]


def spent():
    """Processor time of the whole machine: a service ends its workers, and whom nobody waited for is in no account."""
    with open("/proc/stat") as stat:
        user, nice, system = map(int, stat.readline().split()[1:4])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


def measured(compere, bench, kernels, runs):
    before, busy = spent(), load()
    told = subprocess.run(
        [compere, "bench", bench, "--runs", runs, "--json"],
        check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, "COMPERE_KERNELS": kernels},
    )
    return json.loads(told.stdout)["figures"], spent() - before, busy


def figure(row):
    if row["value"] is None:
        return "–"
    # Large ones as people write them.
    value = f"{row['value']:.3g}" if abs(row["value"]) < 1000 else f"{row['value']:.0f}"
    return f"{value} {row['unit']}".strip()


def main(compere, page, runs):
    rows, notes = {}, []
    for path, kernels in PATHS.items():
        # Voices compute in a library of their own, and the API paints nothing.
        for bench in BENCHES if kernels == "best" else BENCHES[:2]:
            figures, worked, busy = measured(compere, bench, kernels, runs)
            notes.append(f"`bench {bench}`, {path}: {worked:.0f} s of processor time, load {busy:.2f} before")
            for row in figures:
                rows.setdefault((bench, row["name"]), {"target": row["target"] or ""})[path] = row
    lines = []
    for (bench, name), row in rows.items():
        seen = [figure(row[path]) if path in row else "–" for path in PATHS]
        ratio = next((row[path]["ratio"] for path in PATHS if path in row), None)
        lines.append([bench, name, *seen, row["target"], "" if ratio is None else f"{ratio:.2f}"])
    made = table(["bench", "what", *PATHS, "target", "times the target"], lines)
    put(page, "times", made + "\n\n" + "; ".join(notes) + ".")


main(*sys.argv[1:])
