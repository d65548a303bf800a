#!/usr/bin/env python3
"""A farm of real servers on this machine: films by several services and workers, while parts of it die.

Called by scripts/farm.sh, which says where the programs are. Needs nothing but Python.

  films.py --compere FILE --temporal FILE --weed FILE [--faults N] [--crowd N] [--load SECONDS] [--clients N]
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error

from clients import Client, fetch, is_over
from faults import under_faults
from load import under_load
from programs import HERE, LAST, Postgres, Program, Sealed, Wire, listens, port, until

#: Seconds that the clock of one service is behind the other's.
BEHIND = 20


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
        # Clocks are apart: one service is behind, one worker ahead and another behind.
        clock = make_clock(folder)
        self.services = [self.node(f"service{n}", clock, [0, -BEHIND][n], {}, "serve", "--listen", f"{HERE}:{number}",
                                   "--queues", "exports") for n, number in enumerate(self.ports)]
        self.wires = [[Wire(to) for to in (temporal_port, self.postgres.port, s3)] for _ in range(3)]
        # One of the workers goes to Temporal by an encrypted way.
        seal = Sealed(self.wires[2][0].port, folder)
        self.workers = [self.node(f"worker{n}", clock, [0, 30, -30][n], self.over(wires, seal if n == 2 else None), "worker", "--slots", "1")
                        for n, wires in enumerate(self.wires)]
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
        # As its own command line asks it.
        self.cluster = [str(temporal), "--address", f"{HERE}:{number}"]
        return Program("Temporal", command, self.folder / "temporal.log"), number

    def make_store(self, weed):
        (self.folder / "store").mkdir()
        identity = {"name": "test", "credentials": [{"accessKey": "key", "secretKey": "secret"}], "actions": ["Admin"]}
        (self.folder / "s3.json").write_text(json.dumps({"identities": [identity]}))
        self.master, self.filer, s3 = port(), port(), port()
        command = [weed, "server", f"-dir={self.folder / 'store'}", f"-ip={HERE}", f"-ip.bind={HERE}",
                   f"-master.port={self.master}", f"-volume.port={port()}", "-filer=true", f"-filer.port={self.filer}",
                   "-s3", f"-s3.port={s3}",
                   # Doors with numbers of their own: a second server on the machine would end for them.
                   "-s3.port.iceberg=0", "-s3.port.lance=0", f"-s3.config={self.folder / 's3.json'}", "-master.volumeSizeLimitMB=64",
                   "-volume.max=40"]
        return Program("SeaweedFS", command, self.folder / "store.log"), s3

    def make_bucket(self, weed):
        shell = [str(weed), "shell", f"-master={HERE}:{self.master}", "-filer", f"{HERE}:{self.filer}"]

        def made():
            told = subprocess.run(shell, input="s3.bucket.create -name compere\ns3.bucket.list\n", text=True,
                                  capture_output=True, timeout=60)
            return "compere" in told.stdout.split("s3.bucket.create")[-1] and "size" in told.stdout

        until("a bucket", made)

    def over(self, wires, seal):
        """How a worker reaches the servers: by ways of its own, which can be cut."""
        temporal, postgres, s3 = (wire.port for wire in wires)
        engine = f"temporal://{HERE}:{temporal}/default"
        if seal:
            engine = f"temporals://{HERE}:{seal.port}/default?ca={seal.cert}&cert={seal.cert}&key={seal.key}"
        return {"AWS_ENDPOINT_URL": f"http://{HERE}:{s3}", "COMPERE_ENGINE": engine,
                "COMPERE_DATABASE": f"postgres://postgres@{HERE}:{postgres}/compere"}

    def node(self, name, clock, ahead, over, *words):
        data = self.folder / name
        data.mkdir()
        env = {**self.env, **over, "COMPERE_DATA": str(data)}
        if clock and ahead:
            env |= {"LD_PRELOAD": str(clock), "CLOCK_AHEAD": str(ahead)}
        # Workers have machines of their own. Here they get what services and servers leave of the cores.
        willingness = LAST if words[0] == "worker" else 0
        program = Program(name, [self.compere, *words], self.folder / f"{name}.log", env, willingness=willingness)
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

    def write_histories(self, folder):
        """Of exports that went well, whose worker was lost, and that had to wait: the shortest of each."""
        ask = lambda *words: subprocess.run([self.cluster[0], *words, *self.cluster[1:], "-o", "json"], check=True, capture_output=True, text=True,
                                            env={**os.environ, "HOME": str(self.folder)}).stdout
        found = {}
        for one in json.loads(ask("workflow", "list", "--query", "ExecutionStatus = 'Completed'", "--limit", "300")):
            text = ask("workflow", "show", "-w", one["execution"]["workflowId"])
            kind = "lost" if "turn_lost" in text else "waited" if "EVENT_TYPE_TIMER_STARTED" in text else "went-well"
            if len(text) < len(found.get(kind, text + " ")):
                found[kind] = text
        folder.mkdir(parents=True, exist_ok=True)
        for kind, text in found.items():
            (folder / f"{kind}.json").write_text(text)
        print(f"histories of {len(found)} kinds: {', '.join(sorted(found))}")

    def end(self):
        for program in reversed(self.programs):
            program.end()
        self.history.unlink(missing_ok=True)

    def logs(self):
        for log in sorted(self.folder.glob("*.log")):
            print(f"--- {log.name}")
            print("\n".join(log.read_text(errors="replace").splitlines()[-25:]))


def make_clock(folder):
    """What sets the clock of a program that it is loaded with; nothing where there is no compiler."""
    source, clock = pathlib.Path(__file__).with_name("clock.c"), folder / "clock.so"
    try:
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", str(clock), str(source), "-ldl"], check=True)
    except (OSError, subprocess.CalledProcessError):
        print("no C compiler: the clocks of all nodes agree")
        return None
    return clock


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
    # The first time that the one whose clock is ahead looks, the time between them seems to have gone by.
    apart = limit * BEHIND / 60
    print(f"{2 * limit} requests of one account to two services in {took:.0f} s: {let_in} let in; its plan allows {most:.0f}, "
          f"and clocks that are {BEHIND} s apart once {apart:.0f} more")
    # What was drawn at one service and asked for at the other is not let in: a few of them.
    return 0.85 * min(most, 2 * limit) <= let_in <= most + apart + 1


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
    parser.add_argument("--load", type=int, default=60, help="seconds")
    parser.add_argument("--histories", type=pathlib.Path, help="a folder for what the cluster recorded of some exports")
    parser.add_argument("--record", type=pathlib.Path, help="a file for the milliseconds that films took")
    parser.add_argument("--clients", type=int, default=200)
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
                  under_faults(farm, asked.faults, random.Random(asked.seed)) if asked.faults else True,
                  under_load(farm, asked.load, asked.clients, random.Random(asked.seed)) if asked.load else True]
        good = all(checks)
        if asked.histories:
            farm.write_histories(asked.histories)
        if asked.record:
            took = "SELECT finished_at - started_at FROM export WHERE state = 'exported' AND fence = 1 ORDER BY id"
            asked.record.write_text(farm.postgres.asked(took) + "\n")
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
