"""Table of starts: starts.py COMPERE PAGE

How long programs need until they work, and what they do meanwhile, from samples of their stacks.
"""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

from tables import load, put, scene, table, write

TIMES, RATE = 9, 10000
# The first of these that is found anywhere in a stack says what it was for.
WHAT = {
    "fonts": ("Fonts::open", "fontique"),
    "presenters, voices": ("House::of", "Voices::", "Cast::", "compere_own", "compere_speech", "compere_avatar"),
    "records": ("sqlx", "sqlite", "compere_store"),
    "its own name": ("engine::engine", "blake3"),
    "keys, network": ("rustls", "aws_lc", "reqwest", "ureq", "hyper", "axum"),
    "loading": ("_dl_", "ld-linux", "execve", "load_elf", "begin_new_exec"),
    "leaving": ("do_exit", "exit_mmap"),
}
COLUMNS = [*WHAT, "programs that it starts", "rest"]


class Start:
    """One program, from its start until it is ready."""

    def __init__(self, name, arguments, ready=None, hello=None, env=None):
        self.name, self.arguments, self.ready, self.hello, self.env = name, arguments, ready, hello, env or {}

    def seconds(self, before=()):
        """Until it is ready, or ends where it says nothing of it."""
        started = time.monotonic()
        child = subprocess.Popen(
            [*before, *self.arguments], env={**os.environ, **self.env}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )
        if self.hello:
            child.stdin.write(self.hello + "\n")
            child.stdin.flush()
        if self.ready:
            self.ready(child.stdout.readline())
        else:
            child.wait()
        took = time.monotonic() - started
        if self.ready and not self.hello:
            # Where it is being recorded, whoever records it waits for it and writes what there is.
            below = subprocess.run(["pgrep", "-P", str(child.pid)], capture_output=True, text=True).stdout.split()
            os.kill(int(below[0]) if before else child.pid, 15)
        child.stdin.close()
        child.wait()
        if child.returncode not in (0, -15, 143):
            raise SystemExit(f"performance: {self.name} ended with {child.returncode}")
        return took


def starts(compere, work):
    path = write(work / "start.json", [scene(0, "", 2)])
    data = lambda name: str(work / name)
    assets = os.environ["COMPERE_ASSETS"]
    hello = {"assets": assets, "data": data("worker"), "settings": {}, "base_url": "http://127.0.0.1", "films": True,
             "yields": False, "shares": False}

    def answers(line):
        address = line.strip().rsplit("//", 1)[-1]
        urllib.request.urlopen(f"http://{address}/health/live", timeout=30).read()

    def told(line):
        if "ready" not in line:
            raise SystemExit(f"performance: a worker says {line}")

    service = {"COMPERE_DATA": data("service"), "COMPERE_LISTEN": "127.0.0.1:0", "COMPERE_WELCOME": "false"}
    return [
        Start("`compere --version`", [compere, "--version"]),
        Start("`compere render --check`", [compere, "--data", data("check"), "render", path, "--check"]),
        Start("a worker, until it takes films", [compere, "worker", "--child"], told, json.dumps({"hello": hello})),
        Start("the service, until it answers", [compere, "serve"], answers, env=service),
    ]


def profile(start, work):
    """Milliseconds of processor time by what they were for."""
    record = ["perf", "record", "-q", "-F", str(RATE), "--call-graph", "dwarf,32768", "-o", str(work / "perf.data"), "--"]
    start.seconds(record)
    told = subprocess.run(
        ["perf", "script", "--no-inline", "-i", str(work / "perf.data"), "-F", "comm,ip,sym,dso"],
        check=True, capture_output=True, text=True,
    ).stdout
    spent = collections.Counter()
    for stack in told.split("\n\n"):
        comm, _, frames = stack.strip("\n").partition("\n")
        if not comm.strip() or comm.startswith("perf"):
            continue
        # Whoever carries our name in front of its own is a thread of ours.
        ours = comm.startswith(("compere", "tokio", "sqlx", "rten"))
        what = next((what for what, names in WHAT.items() if any(name in frames for name in names)), "rest")
        spent[what if ours else "programs that it starts"] += 1e3 / RATE
    return spent


def main(compere, page):
    with tempfile.TemporaryDirectory() as folder:
        work, busy, rows = pathlib.Path(folder), load(), []
        for start in starts(compere, work):
            first = start.seconds()
            took = sorted(start.seconds() for _ in range(TIMES))[TIMES // 2]
            spent = profile(start, work)
            rows.append([start.name, f"{took * 1e3:.0f} ms", f"{first * 1e3:.0f} ms", *(f"{spent[what]:.0f}" for what in COLUMNS)])
    put(page, "starts", table(["start of", "until it is ready", "the first", *COLUMNS], rows) + f"\n\nLoad {busy:.2f} before.")


if __name__ == "__main__":
    main(*sys.argv[1:])
