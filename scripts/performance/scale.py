"""Table of what one machine carries: scale.py COMPERE PAGE

Films an hour by one, two and four workers, how soon a film can be watched, long films and their memory, and a 4k film.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

from tables import load, put, scene, script, table, write

# Of four scenes each, 29 s; spoken before, as most of what is exported again is.
FILMS = 8


def run(arguments, **more):
    """Seconds by the clock, seconds of processor time and the most memory of a program."""
    started = time.monotonic()
    child = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, **more)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"performance: {' '.join(arguments)} ended with {child.returncode}")
    return time.monotonic() - started, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


class Service:
    """A service of its own, with an account of its own."""

    def __init__(self, compere, data, workers):
        data = pathlib.Path(data)
        data.mkdir(parents=True)
        (data / "compere.toml").write_text(f"welcome = false\nworkers = {workers}\n")
        env = {**os.environ, "COMPERE_DATA": str(data), "COMPERE_LISTEN": "127.0.0.1:0"}
        subprocess.run(
            [compere, "account", "add", "scale@example.com", "--plan", "unlimited"],
            env=env, check=True, stdout=subprocess.DEVNULL,
        )
        key = json.loads(subprocess.check_output([compere, "key", "issue", "--json"], env=env))
        with open(data / "log", "wb") as log:
            self.child = subprocess.Popen([compere, "serve"], env=env, stdout=subprocess.PIPE, stderr=log, text=True)
        self.address = self.child.stdout.readline().strip().rsplit("//", 1)[-1]
        self.token = ""
        if not self.address:
            raise SystemExit(f"performance: the service did not start: {(data / 'log').read_text()[-800:]}")
        self.ask("/health/live")
        self.token = self.ask("/api/odin/v3/auth/token", {"appId": key["appId"], "userKey": key["userKey"]})["token"]

    def ask(self, path, body=None):
        head = {"content-type": "application/json", "authorization": self.token}
        request = urllib.request.Request(
            f"http://{self.address}{path}", json.dumps(body).encode() if body is not None else None, head
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            told = answer.read()
        return json.loads(told).get("data") if path.startswith("/api") else told

    def film(self, scenes):
        body = {"name": "Scale", "resolution": "1080", "scenes": scenes}
        return self.ask("/api/odin/v3/editor/project", body)["projectId"]

    def wait(self, films, patience=3600):
        """Until all of them are made; meanwhile, how many milliseconds each question took."""
        left, asked = list(films), []
        end = time.monotonic() + patience
        while left:
            if time.monotonic() > end:
                raise SystemExit(f"performance: {len(left)} films are not made within {patience} s")
            before = time.monotonic()
            told = self.ask(f"/api/odin/v3/editor/progress/{left[0]}")
            asked.append(1e3 * (time.monotonic() - before))
            if told["state"] in ("failed", "cancelled"):
                raise SystemExit(f"performance: a film is {told['state']}: {told}")
            if told["state"] in ("exported", "finished"):
                left.pop(0)
            time.sleep(0.12)
        return asked

    def watch(self, film, patience=120):
        """Until the first piece of its stream is there."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            stream = self.ask(f"/api/odin/v3/editor/progress/{film}").get("streamUrl")
            if stream:
                path = "/" + stream.split("//", 1)[1].split("/", 1)[1].replace("film.m3u8", "video.m3u8")
                told = self.ask(path).decode()
                parts = re.findall(r'#EXT-X-PART:.*URI="([^"]*)"', told)
                pieces = parts or [line for line in told.splitlines() if line and not line.startswith("#")]
                if pieces and self.ask(path.replace("video.m3u8", pieces[0])):
                    return
            time.sleep(0.05)
        raise SystemExit(f"performance: no picture of film {film} within {patience} s")

    def processor(self):
        """Seconds of the service and of all that it started and that ended or lives."""
        tick, total, mine = os.sysconf("SC_CLK_TCK"), 0, {self.child.pid}
        stats = {}
        for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = entry.read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            stats[int(entry.parent.name)] = fields
        grew = True
        while grew:
            more = {pid for pid, fields in stats.items() if int(fields[1]) in mine} - mine
            mine |= more
            grew = bool(more)
        for pid in mine & stats.keys():
            total += sum(int(field) for field in stats[pid][11:15])
        return total / tick

    def close(self):
        self.child.terminate()
        self.child.wait()


def throughput(compere, work):
    rows = []
    for workers in (1, 2, 4):
        busy = load()
        service = Service(compere, work / f"workers-{workers}", workers)
        try:
            warm = [scene(n, script(n), title="Warm") for n in range(4)]
            # As many as there are workers, so that each has its voice and its presenter; all say the same.
            service.wait([service.film(warm) for _ in range(workers)])
            before, worked = time.monotonic(), service.processor()
            films = [
                service.film([scene(n, script(n), title=f"Film {film}, chapter") for n in range(4)])
                for film in range(FILMS)
            ]
            asked = sorted(service.wait(films))
            took, worked = time.monotonic() - before, service.processor() - worked
        finally:
            service.close()
        late = asked[min(len(asked) - 1, int(0.99 * len(asked)))]
        rows.append([
            f"films of 29 s an hour, {workers} worker{'s' * (workers > 1)}, words known", f"{FILMS / took * 3600:.0f}",
            f"{worked / FILMS:.1f} s a film", "", f"{busy:.2f}",
        ])
        rows.append([
            "progress meanwhile, 99 of 100 answers within", f"{late:.1f} ms", "", "50 ms", f"{busy:.2f}",
        ])
    return rows


def beginnings(compere, work):
    """How soon the first picture of a film can be watched, whatever its length."""
    service, rows = Service(compere, work / "beginnings", 1), []
    try:
        service.wait([service.film([scene(0, script(0), title="Warm")])])
        for name, count in (("half a minute", 4), ("ten minutes", 82)):
            times = []
            for run in range(3):
                busy, begun = load(), time.monotonic()
                words = lambda n: script(f"{n + 1} of film {run + 1} of {count}")
                film = service.film([scene(n, words(n), title=f"{name} {run}, chapter") for n in range(count)])
                service.watch(film)
                times.append(time.monotonic() - begun)
                service.ask(f"/api/odin/v3/editor/project/{film}/cancel", {})
            rows.append([f"first picture of a film of {name}, new words", f"{sorted(times)[1]:.2f} s", "", "2.5 s", f"{busy:.2f}"])
    finally:
        service.close()
    return rows


def films(compere, work):
    rows = []

    def row(name, scenes, lasts, target, resolution="1080"):
        busy = load()
        path = write(work / f"{len(rows)}.json", scenes)
        took, worked, memory = run([
            compere, "--data", str(work / f"data-{len(rows)}"), "render", path, "-o", str(work / "film.mp4"),
            "--resolution", resolution, "--json",
        ])
        rows.append([name, f"{took:.1f} s, {took / lasts:.3f} a second", f"{worked:.1f} s", target, f"{busy:.2f}"])
        rows.append([f"{name}: most memory", f"{memory / 1e6:.0f} MB", "", "", f"{busy:.2f}"])

    silent = lambda seconds: [scene(n, "", 20) for n in range(seconds // 20)]
    row("4k, 20 s, a process of its own, presenter not baked", [scene(0, "", 20)], 20, "0.35 a second", "4k")
    row("10 minutes, silent, a process of its own", silent(600), 600, "")
    row("60 minutes, silent, a process of its own", silent(3600), 3600, "")
    return rows


def main(compere, page):
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        rows = throughput(compere, work) + beginnings(compere, work) + films(compere, work)
    put(page, "scale", table(["what", "by the clock", "processor time", "target", "load before"], rows))


if __name__ == "__main__":
    main(*sys.argv[1:])
