#!/usr/bin/env python3
"""A farm of real servers on this machine: films by several services and workers, while parts of it die.

Called by scripts/farm.sh, which says where the programs are. Needs nothing but Python.

  films.py --compere FILE --temporal FILE --weed FILE [--faults N] [--crowd N]
"""

import argparse
import concurrent.futures
import glob
import http.server
import json
import os
import pathlib
import pwd
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

HERE = "127.0.0.1"
#: For a film, with all that may die meanwhile.
PATIENCE = 420


def port():
    """One that nothing listens on, nor on the one ten thousand above it: SeaweedFS takes both."""
    while True:
        number = random.randrange(15000, 25000)
        try:
            for one in (number, number + 10000):
                with socket.socket() as tried:
                    tried.bind((HERE, one))
            return number
        except OSError:
            continue


def until(what, holds, patience=90.0):
    end = time.monotonic() + patience
    while time.monotonic() < end:
        try:
            if holds():
                return
        except (OSError, subprocess.CalledProcessError, urllib.error.URLError):
            pass
        time.sleep(0.1)
    raise SystemExit(f"{what}: not within {patience:.0f} s")


def listens(number):
    with socket.create_connection((HERE, number), 1):
        return True


class Program:
    """A process with its children, that can be killed and begun again."""

    def __init__(self, name, command, log, env=None, user=None):
        self.name, self.command, self.log, self.env, self.user = name, command, log, env, user
        self.process = None

    def begin(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [str(part) for part in self.command], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/",
                env={**os.environ, **(self.env or {})}, user=self.user, start_new_session=True,
            )

    def family(self):
        """It and everything below it: children that draw are groups of their own."""
        below = {}
        for stat in glob.glob("/proc/[0-9]*/stat"):
            try:
                fields = pathlib.Path(stat).read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            below.setdefault(int(fields[1]), []).append(int(stat.split("/")[2]))
        found, todo = [], [self.process.pid]
        while todo:
            pid = todo.pop()
            found.append(pid)
            todo += below.get(pid, [])
        return found

    def send(self, what):
        for pid in self.family():
            try:
                os.kill(pid, what)
            except ProcessLookupError:
                pass

    def kill(self):
        """At once, and alone: whoever it began has to notice."""
        self.process.kill()
        self.process.wait()

    def end(self):
        if self.process and self.process.poll() is None:
            self.send(signal.SIGCONT)
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.send(signal.SIGKILL)


class Postgres(Program):
    def __init__(self, folder):
        self.bin = max(glob.glob("/usr/lib/postgresql/*/bin/initdb")).rsplit("/", 1)[0]
        self.port, self.data = port(), folder / "postgres"
        self.data.mkdir()
        self.owner = "postgres" if os.getuid() == 0 else None
        if self.owner:
            shutil.chown(self.data, self.owner)
        make = [f"{self.bin}/initdb", "-D", self.data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8"]
        subprocess.run([str(part) for part in make], check=True, stdout=subprocess.DEVNULL, cwd="/", user=self.owner)
        command = [f"{self.bin}/postgres", "-D", self.data, "-p", self.port, "-k", self.data, "-c", "max_connections=300",
                   "-c", f"listen_addresses={HERE}"]
        super().__init__("PostgreSQL", command, folder / "postgres.log", user=self.owner)

    def create(self):
        create = [f"{self.bin}/createdb", "-h", HERE, "-p", str(self.port), "-U", "postgres", "compere"]
        until("PostgreSQL", lambda: subprocess.run(create, check=True, stderr=subprocess.DEVNULL))
        return f"postgres://postgres@{HERE}:{self.port}/compere"

    def asked(self, sql):
        ask = [f"{self.bin}/psql", "-h", HERE, "-p", str(self.port), "-U", "postgres", "-tAc", sql, "compere"]
        return subprocess.run(ask, check=True, capture_output=True, text=True).stdout.strip()


class Receiver:
    """Of webhooks: ids of those that came, and what each film cost, by project."""

    def __init__(self):
        told, costs = self.told, self.costs = {}, {}

        class Answers(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                told.setdefault(body["projectId"], set()).add(self.headers["webhook-id"])
                costs[body["projectId"]] = body["credit"]
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer((HERE, 0), Answers)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://{HERE}:{self.server.server_port}/told"


class Client:
    """Of whichever service answers, as behind a balancer."""

    def __init__(self, ports, pair):
        self.ports, self.pair, self.token = ports, pair, None

    def ask(self, path, body=None, key=None):
        """Tries until somebody answers: with a key a request is one however often it is sent."""
        end = time.monotonic() + PATIENCE
        while True:
            for number in random.sample(self.ports, len(self.ports)):
                try:
                    return self.ask_one(number, path, body, key)
                except urllib.error.HTTPError as error:
                    text = error.read().decode()
                    if error.code not in (409, 429, 500, 502, 503):
                        raise SystemExit(f"{path}: {error.code} {text}") from error
                except (OSError, http.client.HTTPException):
                    pass
            if time.monotonic() > end:
                raise SystemExit(f"{path}: nobody answers")
            time.sleep(0.3)

    def ask_one(self, number, path, body, key):
        headers = {"content-type": "application/json"}
        if key:
            headers["idempotency-key"] = key
        if self.token:
            headers["authorization"] = self.token
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(f"http://{HERE}:{number}/api/odin/v3{path}", data, headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)["data"]

    def sign_in(self):
        self.token = self.ask("/auth/token", {"appId": self.pair[0], "userKey": self.pair[1]})["token"]
        return self

    def order(self, name, seconds, webhook=None, second=None, key=""):
        """A film of two scenes, of which the second may be said otherwise."""
        scenes = [scene(name, 0, seconds), scene(second or name, 1, seconds)]
        film = {"name": name, "resolution": 480, "scenes": scenes}
        if webhook:
            film["webhookUrl"] = webhook
        return self.ask("/editor/project", film, key=f"order-{key or name}")["projectId"]

    def wait(self, project):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            told = self.ask(f"/editor/progress/{project}")
            if told["state"] in ("exported", "failed", "cancelled"):
                return told
            time.sleep(0.25)
        raise SystemExit(f"project {project} was not made: {told}")

    def credits(self):
        return self.ask("/account")["credits"]


def scene(name, number, seconds):
    return {
        "sceneIdx": number, "duration": seconds,
        "background": {"source_color": f"rgb({40 + 20 * number},60,80)"},
        "scripts": [{"org": f"{name}, part {number}.", "isTTS": True, "tts": {"voice": "tone"}, "modelId": "figure",
                     "clothId": "figure/plain"}],
        "clips": [
            {"id": "who", "type": "aiModel", "layer": 2, "left": 1200, "top": 180, "width": 600, "height": 900,
             "model": {"ai_name": "figure", "emotion": "figure/plain"}},
            {"id": "title", "type": "textImage", "layer": 1, "left": 100, "top": 100, "width": 900, "height": 200,
             "text": f"{name}, part {number}", "fill": "rgb(255,255,255)", "fontSize": 60},
        ],
    }


def fetch(link):
    """A film; where the store is away for a moment, again."""
    end = time.monotonic() + 90
    while True:
        try:
            with urllib.request.urlopen(link, timeout=60) as answer:
                return answer.read()
        except (OSError, urllib.error.URLError):
            if time.monotonic() > end:
                raise
            time.sleep(0.5)


class Farm:
    def __init__(self, compere, temporal, weed, folder):
        self.compere, self.folder, self.programs = compere, folder, []
        self.postgres = Postgres(folder)
        self.temporal, temporal_port = self.make_temporal(temporal)
        self.store, s3 = self.make_store(weed)
        for program in (self.postgres, self.temporal, self.store):
            self.programs.append(program)
            program.begin()
        database = self.postgres.create()
        until("Temporal", lambda: listens(temporal_port))
        until("SeaweedFS", lambda: listens(s3))
        self.make_bucket(weed)
        self.ports = [port(), port()]
        self.env = {
            "AWS_ENDPOINT_URL": f"http://{HERE}:{s3}", "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_REGION": "us-east-1", "COMPERE_DATABASE": database, "COMPERE_OBJECTS": "s3://compere",
            "COMPERE_ENGINE": f"temporal://{HERE}:{temporal_port}/default", "COMPERE_WELCOME": "false",
            "COMPERE_PUBLIC_URL": f"http://{HERE}:{self.ports[0]}", "COMPERE_ALLOW": f"{HERE}:*",
            "COMPERE_LOG": "info,sqlx=warn",
        }
        self.services = [self.node(f"service{n}", "serve", "--listen", f"{HERE}:{number}", "--queues", "exports")
                         for n, number in enumerate(self.ports)]
        self.workers = [self.node(f"worker{n}", "worker", "--slots", "1") for n in range(3)]
        for node, number in zip(self.services, self.ports):
            node.begin()
            until(node.name, lambda number=number: listens(number))
        for worker in self.workers:
            worker.begin()

    def make_temporal(self, temporal):
        fast = pathlib.Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else self.folder
        self.history = fast / f"compere-farm-{os.getpid()}.db"
        number = port()
        # One partition of queues, as one machine has it: accounts then take turns exactly.
        settings = ["enableFairness=true", "numTaskqueueReadPartitions=1", "numTaskqueueWritePartitions=1"]
        command = [temporal, "server", "start-dev", "--headless", "--ip", HERE, "--port", number, "--http-port", port(),
                   "--metrics-port", port(), "--db-filename", self.history, "--log-level", "error"]
        for setting in settings:
            command += ["--dynamic-config-value", f"matching.{setting}"]
        return Program("Temporal", command, self.folder / "temporal.log"), number

    def make_store(self, weed):
        (self.folder / "store").mkdir()
        identity = {"name": "test", "credentials": [{"accessKey": "key", "secretKey": "secret"}], "actions": ["Admin"]}
        (self.folder / "s3.json").write_text(json.dumps({"identities": [identity]}))
        self.master, self.filer, s3 = port(), port(), port()
        command = [weed, "server", f"-dir={self.folder / 'store'}", f"-ip={HERE}", f"-ip.bind={HERE}",
                   f"-master.port={self.master}", f"-volume.port={port()}", "-filer=true", f"-filer.port={self.filer}",
                   "-s3", f"-s3.port={s3}", f"-s3.config={self.folder / 's3.json'}", "-master.volumeSizeLimitMB=64",
                   "-volume.max=40"]
        return Program("SeaweedFS", command, self.folder / "store.log"), s3

    def make_bucket(self, weed):
        shell = [str(weed), "shell", f"-master={HERE}:{self.master}", "-filer", f"{HERE}:{self.filer}"]

        def made():
            told = subprocess.run(shell, input="s3.bucket.create -name compere\ns3.bucket.list\n", text=True,
                                  capture_output=True, timeout=60)
            return "compere" in told.stdout.split("s3.bucket.create")[-1] and "size" in told.stdout

        until("a bucket", made)

    def node(self, name, *words):
        data = self.folder / name
        data.mkdir()
        env = {**self.env, "COMPERE_DATA": str(data)}
        program = Program(name, [self.compere, *words], self.folder / f"{name}.log", env)
        self.programs.append(program)
        return program

    def command(self, *words):
        env = {**os.environ, **self.env, "COMPERE_DATA": str(self.folder / "service0")}
        return subprocess.run([str(self.compere), *words], env=env, check=True, capture_output=True, text=True).stdout

    def customer(self, name):
        email = f"{name}@example.com"
        self.command("account", "add", email, "--plan", "api")
        key = json.loads(self.command("key", "issue", "--account", email, "--json"))
        return Client(self.ports, (key["appId"], key["userKey"])).sign_in()

    def end(self):
        for program in reversed(self.programs):
            program.end()
        self.history.unlink(missing_ok=True)

    def logs(self):
        for log in sorted(self.folder.glob("*.log")):
            print(f"--- {log.name}")
            print("\n".join(log.read_text(errors="replace").splitlines()[-25:]))


def alone(compere, folder):
    """The same film by one service with nothing beside it: its bytes, and how long its client waited."""
    data, number = folder / "alone", port()
    data.mkdir()
    env = {"COMPERE_DATA": str(data), "COMPERE_WELCOME": "false", "COMPERE_WORKERS": "1"}
    service = Program("alone", [compere, "serve", "--listen", f"{HERE}:{number}"], folder / "alone.log", env)
    service.begin()
    try:
        until("a service", lambda: listens(number))
        ask = lambda *words: subprocess.run([str(compere), *words], env={**os.environ, **env}, check=True,
                                            capture_output=True, text=True).stdout
        ask("account", "add", "alone@example.com", "--plan", "api")
        key = json.loads(ask("key", "issue", "--account", "alone@example.com", "--json"))
        client = Client([number], (key["appId"], key["userKey"])).sign_in()
        return timed(client)
    finally:
        service.end()


def timed(client):
    """Seconds that short films take, the middle of three, and the bytes of the last. The first one warms whoever makes it."""
    client.wait(client.order("Warm", 2))
    times = []
    for name in ("Hello", "Hello again", "Hello at last"):
        begun = time.monotonic()
        told = client.wait(client.order(name, 2))
        times.append(time.monotonic() - begun)
    return sorted(times)[1], fetch(told["downloadUrl"])


def same_film(farm, own):
    # Each worker is warm before it counts, as the service alone is.
    client = farm.customer("same")
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda n: client.wait(client.order(f"Warm up {n}", 4)), range(6)))
    seconds, film = timed(client)
    print(f"a short film: {seconds:.2f} s by the farm, {own[0]:.2f} s alone; {len(film)} bytes, "
          f"{'the same' if film == own[1] else 'NOT THE SAME'}")
    return film == own[1] and seconds - own[0] <= 1.5


def shared_work(farm):
    """What one worker made, the others need not make again: the same film by all of them, and then with one scene of two
    said otherwise."""
    client = farm.customer("shared")

    def made(names):
        with concurrent.futures.ThreadPoolExecutor(len(names)) as pool:
            projects = list(pool.map(lambda name: client.order("Shared", 4, **name), names))
            list(pool.map(client.wait, projects))
        rows = [farm.postgres.asked(f"SELECT worker, made FROM export WHERE project = '{project}'") for project in projects]
        films = [json.loads(row.split("|", 1)[1]) for row in rows]
        # What was made is sent behind the film.
        time.sleep(3)
        return [film["drawnFrames"] for film in films], films[0]["frames"]

    (first,), frames = made([{"key": "shared"}])
    again, _ = made([{"key": f"shared {n}"} for n in range(6)])
    (edited,), _ = made([{"key": "edited", "second": "Quite another text"}])
    after, _ = made([{"key": f"edited {n}", "second": "Quite another text"} for n in range(6)])
    print(f"a film of {frames} frames: {first} drawn by the first worker, {sum(again)} by six that made it again; with one "
          f"scene of two edited {edited}, and {sum(after)} by six that made that again")
    return first == frames and not any(again + after) and 0 < edited < frames


def limits_hold(farm):
    """Requests of one account to both services let in no more than one service would."""
    client, limit = farm.customer("often"), 600
    begun, let_in, refused = time.monotonic(), 0, 0

    def ask(number):
        try:
            client.ask_one(farm.ports[number % 2], "/account", None, None)
            return True
        except urllib.error.HTTPError as error:
            error.read()
            if error.code == 429:
                return False
            raise

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for came in pool.map(ask, range(2 * limit)):
            let_in, refused = let_in + came, refused + (not came)
    took = time.monotonic() - begun
    most = limit + limit * took / 60
    print(f"{2 * limit} requests of one account to two services in {took:.0f} s: {let_in} let in; its plan allows {most:.0f}")
    # What was drawn at one service and asked for at the other is not let in: a few of them.
    return 0.85 * min(most, 2 * limit) <= let_in <= most + 1


class Faults:
    """Things that happen to farms, each mended after a moment."""

    def __init__(self, farm, dice):
        self.farm, self.dice, self.done = farm, dice, {}

    def strike(self):
        farm, dice = self.farm, self.dice
        kinds = [(6, "worker killed", self.worker_killed), (3, "film's process killed", self.child_killed),
                 (3, "service killed", self.service_killed), (3, "worker cut off", self.worker_cut_off),
                 (2, "Temporal killed", lambda: self.server(farm.temporal)),
                 (2, "PostgreSQL killed", lambda: self.server(farm.postgres)),
                 (2, "object store killed", lambda: self.server(farm.store))]
        # Each once, then by chance.
        missing = [kind for kind in kinds if kind[1] not in self.done]
        _, name, act = missing[0] if missing else dice.choices(kinds, [kind[0] for kind in kinds])[0]
        act()
        self.done[name] = self.done.get(name, 0) + 1

    def worker_killed(self):
        worker = self.dice.choice(self.farm.workers)
        worker.kill()
        time.sleep(self.dice.uniform(0, 2))
        worker.begin()

    def child_killed(self):
        worker = self.dice.choice(self.farm.workers)
        for pid in worker.family()[1:]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def service_killed(self):
        service = self.dice.choice(self.farm.services)
        service.kill()
        time.sleep(self.dice.uniform(0, 1))
        service.begin()

    def worker_cut_off(self):
        """Nobody hears of it for longer than the cluster waits; then it is back and believes that nothing happened."""
        worker = self.dice.choice(self.farm.workers)
        worker.send(signal.SIGSTOP)
        time.sleep(self.dice.choice([2, 14]))
        worker.send(signal.SIGCONT)

    def server(self, program):
        if program is self.farm.postgres:
            # As its own immediate stop: the parent takes its children along and nothing is written.
            program.process.send_signal(signal.SIGQUIT)
            program.process.wait()
        else:
            program.kill()
        time.sleep(self.dice.uniform(0.5, 2))
        program.begin()


def under_faults(farm, count, dice):
    receiver, client = Receiver(), farm.customer("faults")
    before, projects, faults = client.credits(), [], Faults(farm, dice)
    stop = threading.Event()
    gave_up = []

    def order():
        # What ends a thread is told to nobody: it would look as if nothing had been ordered.
        try:
            keep_ordering()
        except BaseException as error:
            gave_up.append(error)

    def keep_ordering():
        number = 0
        while not stop.is_set():
            if sum(1 for project in projects if project not in over) < 5:
                projects.append(client.order(f"Film {number}", dice.choice([3, 5, 8]), receiver.address))
                number += 1
            over.update(project for project in projects if project not in over and is_over(client, project))
            time.sleep(0.5)

    over = set()
    orders = threading.Thread(target=order)
    orders.start()
    for _ in range(count):
        time.sleep(dice.uniform(1, 4))
        if gave_up:
            break
        faults.strike()
        for node in farm.services + farm.workers:
            # What gave up by itself is begun again, as systemd would.
            if node.process.poll() is not None:
                node.begin()
    stop.set()
    orders.join()
    if gave_up:
        raise gave_up[0]
    ends = [client.wait(project) for project in projects]
    lost = [end for end in ends if end["state"] != "exported" or len(fetch(end["downloadUrl"])) < 1000]
    until("webhooks", lambda: len(receiver.told) == len(projects), 120)
    doubled = [project for project, ids in receiver.told.items() if len(ids) != 1]
    paid, owed = before - client.credits(), sum(receiver.costs.values())
    kinds = ", ".join(f"{number} × {name}" for name, number in sorted(faults.done.items()))
    print(f"{count} faults ({kinds}); {len(projects)} films, {len(lost)} lost, {len(doubled)} doubled, "
          f"ledger {'exact' if paid == owed else f'WRONG: {paid} paid, {owed} owed'}")
    for end in lost:
        print("  lost:", json.dumps(end))
    # With too few of them nothing was under way while parts died.
    return not lost and not doubled and paid == owed and len(projects) >= count


def is_over(client, project):
    return client.ask(f"/editor/progress/{project}")["state"] in ("exported", "failed", "cancelled")


def fairness(farm, crowd):
    many, few = farm.customer("many"), farm.customer("few")
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        theirs = list(pool.map(lambda n: many.order(f"Crowd {n}", 1), range(crowd)))
    ours = [few.order(f"Few {n}", 1) for n in range(2)]
    finished = [few.wait(project) for project in ours]
    assert all(told["state"] == "exported" for told in finished)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        done = sum(pool.map(lambda project: is_over(many, project), theirs))
    print(f"one account ordered {crowd} films, another then 2: these were made when {done} of the others were")
    # Three workers with one place each: what was under way when they came, and a turn about from then on.
    return done <= crowd / 4


def main():
    parser = argparse.ArgumentParser()
    for name in ("compere", "temporal", "weed"):
        parser.add_argument(f"--{name}", required=True, type=pathlib.Path)
    parser.add_argument("--faults", type=int, default=12)
    parser.add_argument("--crowd", type=int, default=40)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    asked = parser.parse_args()
    random.seed(asked.seed)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="compere-farm-"))
    folder.chmod(0o755)
    good, farm = False, None
    try:
        own = alone(asked.compere, folder)
        farm = Farm(asked.compere, asked.temporal, asked.weed, folder)
        checks = [same_film(farm, own), shared_work(farm), limits_hold(farm), fairness(farm, asked.crowd) if asked.crowd else True,
                  under_faults(farm, asked.faults, random.Random(asked.seed)) if asked.faults else True]
        good = all(checks)
    finally:
        if farm:
            farm.end()
            if not good:
                print(f"seed {asked.seed}")
                farm.logs()
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
