"""Says how long reads of the API take while long documents are imported, four of one account at once.

    python3 scripts/deck_reads.py target/release/compere [another compere …]

Several programs are measured one after the other, so that a change can be seen on one machine in one run. Those who read are
a process of their own that goes before all others, as clients have machines of their own.
"""
import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from pathlib import Path

from deck_speed import long_pdf

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "farm"))
from programs import FIRST, HERE, port, until, listens, weigh  # noqa: E402

AT_ONCE = 4
#: Milliseconds that ninety-nine of a hundred reads take at most, beside imports.
SLOWEST = 50
#: Each of an account of its own, whose plan allows 600 requests a minute.
READERS, PAUSE = 8, 0.2
#: Seconds of reading with nothing beside it.
ALONE = 10


class Service:
    """A program that serves a data folder of its own."""

    def __init__(self, compere, folder):
        self.port, self.compere = port(), compere
        self.env = {**os.environ, "COMPERE_DATA": str(folder), "COMPERE_LISTEN": f"{HERE}:{self.port}", "COMPERE_WELCOME": "false"}
        self.log = open(folder.with_suffix(".log"), "wb")
        self.process = subprocess.Popen([compere, "serve"], env=self.env, stdout=self.log, stderr=self.log, start_new_session=True)
        until("the service", lambda: listens(self.port))

    def command(self, *words):
        return subprocess.run([self.compere, *words], env=self.env, check=True, capture_output=True, text=True).stdout

    def customer(self, name):
        email = f"{name}@example.com"
        self.command("account", "add", email, "--plan", "api")
        key = json.loads(self.command("key", "issue", "--account", email, "--json"))
        body = json.dumps({"appId": key["appId"], "userKey": key["userKey"]})
        return ask(self.port, "POST", "/auth/token", body, {"content-type": "application/json"})["data"]["token"]

    def end(self):
        self.process.terminate()
        self.process.wait(60)


def ask(number, method, path, body=None, headers=None, connection=None):
    connection = connection or http.client.HTTPConnection(HERE, number, timeout=900)
    connection.request(method, f"/api/odin/v3{path}", body, headers or {})
    answer = connection.getresponse()
    text = answer.read()
    if answer.status != 200:
        raise ValueError(f"{path}: {answer.status} {text[:200]!r}")
    return json.loads(text)


def send(number, token, document):
    """Imports a document, and waits until its project is ready."""
    edge = uuid.uuid4().hex
    head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{document.name}.pdf"\r\n\r\n'
    body = head.encode() + document.read_bytes() + f"\r\n--{edge}--\r\n".encode()
    headers = {"authorization": token, "content-type": f"multipart/form-data; boundary={edge}"}
    project = ask(number, "POST", "/editor/project/pptpdf", body, headers)["data"]["projectId"]
    while ask(number, "GET", f"/editor/progress/{project}", headers={"authorization": token})["data"]["state"] == "importing":
        time.sleep(2)
    return project


class Reader(threading.Thread):
    def __init__(self, number, token, paths, stop):
        super().__init__(daemon=True)
        self.number, self.token, self.paths, self.stop = number, token, paths, stop
        self.took, self.failed, self.connection = [], [], None

    def run(self):
        turn = 0
        while not self.stop.wait(PAUSE):
            path, turn = self.paths[turn % len(self.paths)], turn + 1
            self.connection = self.connection or http.client.HTTPConnection(HERE, self.number, timeout=30)
            begun = time.monotonic()
            try:
                ask(self.number, "GET", path, headers={"authorization": self.token}, connection=self.connection)
                self.took.append((path.split("?")[0], time.monotonic() - begun))
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.failed.append(repr(error))
                self.connection = None


def read_until_told():
    """The process of those who read: ends with its input."""
    asked, stop, readers = json.loads(sys.stdin.readline()), threading.Event(), []
    for one, (token, project) in enumerate(asked["who"]):
        paths = ["/account", "/editor/project?state=all&limit=20", f"/editor/project/{project}", f"/editor/progress/{project}"]
        readers.append(Reader(asked["port"], token, paths[one % 4:] + paths[:one % 4], stop))
    for reader in readers:
        reader.start()
    sys.stdin.read()
    stop.set()
    for reader in readers:
        reader.join()
    lists = {"took": [one for reader in readers for one in reader.took], "failed": [one for reader in readers for one in reader.failed]}
    json.dump(lists, sys.stdout)


class Readers:
    """Those who read, each a token and a project to look at."""

    def __init__(self, service, who):
        self.process = subprocess.Popen([sys.executable, __file__, "--read"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        start_new_session=True)
        weigh(self.process.pid, FIRST)
        self.process.stdin.write(json.dumps({"port": service.port, "who": who}) + "\n")
        self.process.stdin.flush()

    def end(self):
        told = json.loads(self.process.communicate()[0])
        return told["took"], told["failed"]


def at(share, times):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))] * 1000


def row(name, beside, seconds, took, failed):
    times = [time for _, time in took]
    numbers = " | ".join(f"{number:.1f}" for number in (at(0.5, times), at(0.9, times), at(0.99, times), max(times) * 1000))
    print(f"| {name} | {beside} | {seconds:.0f} | {len(times)} | {len(failed)} | {numbers} |", flush=True)
    for why in failed[:3]:
        print(f"  {why}")
    return at(0.99, times)


def kinds(took):
    by = {}
    for path, time in took:
        by.setdefault("/".join(part for part in path.split("/")[:3]), []).append(time)
    for path, times in by.items():
        print(f"|  | {path} |  | {len(times)} |  | {at(0.5, times):.1f} | {at(0.9, times):.1f} | {at(0.99, times):.1f} | {max(times) * 1000:.1f} |")


def measure(compere, folder, short, long):
    service = Service(compere, folder)
    try:
        tokens = [service.customer(f"reader{one}") for one in range(READERS)]
        who = [(token, send(service.port, token, short)) for token in tokens]
        alone = Readers(service, who)
        time.sleep(ALONE)
        row(compere, "nothing", ALONE, *alone.end())
        # The first of those who read is the one whose documents are imported.
        senders = [threading.Thread(target=send, args=(service.port, tokens[0], long)) for _ in range(AT_ONCE)]
        beside, begun = Readers(service, who), time.monotonic()
        for sender in senders:
            sender.start()
        for sender in senders:
            sender.join()
        took, failed = beside.end()
        slowest = row(compere, f"{AT_ONCE} imports", time.monotonic() - begun, took, failed)
        kinds(took)
        return slowest <= SLOWEST and not failed
    finally:
        service.end()


def main(programs):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        short, long = folder / "short", folder / "long"
        long_pdf(short, 30)
        long_pdf(long)
        print("| program | beside | seconds | reads | failed | median, ms | p90 | p99 | slowest |\n|---|---|---|---|---|---|---|---|---|")
        right = [measure(compere, folder / f"data{one}", short, long) for one, compere in enumerate(programs)]
    return right[-1]


if __name__ == "__main__":
    if sys.argv[1:] == ["--read"]:
        read_until_told()
    else:
        sys.exit(0 if main(sys.argv[1:]) else 1)
