"""Many who look at once, while films are ordered and workers die."""

import http.client
import json
import threading
import time

from clients import Receiver, fetch, is_over
from programs import HERE, until

#: Clients of one account: its plan allows 600 requests a minute.
TOGETHER = 10
#: Between two looks of a client.
PAUSE = 1.5
#: Films that are ordered and not made.
AT_ONCE = 6
#: Milliseconds that ninety-nine of a hundred reads take at most.
SLOWEST = 50


class Looker(threading.Thread):
    """Somebody with a page open: looks again and again, and notes how long each answer took."""

    def __init__(self, ports, client, projects, stop, dice):
        super().__init__(daemon=True)
        self.port, self.token, self.projects, self.stop = dice.choice(ports), client.token, projects, stop
        self.pause, self.choice = PAUSE * dice.uniform(0.7, 1.3), dice.choice
        self.took, self.failed, self.connection = [], [], None

    def run(self):
        self.stop.wait(self.pause * self.choice(range(100)) / 100)
        while not self.stop.wait(self.pause):
            paths = ["/account", "/editor/project?state=all&limit=20"]
            paths += [f"/editor/progress/{self.projects[-1]}"] * 4 if self.projects else []
            begun = time.monotonic()
            try:
                self.look(self.choice(paths))
                self.took.append(time.monotonic() - begun)
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.failed.append(repr(error))
                self.connection = None

    def look(self, path):
        if self.connection is None:
            self.connection = http.client.HTTPConnection(HERE, self.port, timeout=10)
        self.connection.request("GET", f"/api/odin/v3{path}", headers={"authorization": self.token})
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise ValueError(f"{path}: {answer.status} {body[:200]!r}")
        json.loads(body)


class Orders(threading.Thread):
    """Keeps some films ordered, of one account after the other."""

    def __init__(self, accounts, receiver, stop, dice):
        super().__init__(daemon=True)
        self.accounts, self.receiver, self.stop, self.dice = accounts, receiver, stop, dice
        self.gave_up = None

    def run(self):
        try:
            self.keep_ordering()
        except BaseException as error:
            self.gave_up = error

    def keep_ordering(self):
        number, under_way = 0, []
        while not self.stop.wait(0.5):
            under_way = [one for one in under_way if not is_over(*one)]
            if len(under_way) < AT_ONCE:
                client, projects = self.accounts[number % len(self.accounts)]
                seconds = self.dice.choice([3, 5, 8])
                projects.append(client.order(f"Load {number}", seconds, self.receiver.address))
                under_way.append((client, projects[-1]))
                number += 1


def under_load(farm, seconds, clients, dice):
    stop, receiver = threading.Event(), Receiver()
    accounts = [(farm.customer(f"load{number}"), []) for number in range(-(-clients // TOGETHER))]
    before = [client.credits() for client, _ in accounts]
    lookers = [Looker(farm.ports, *accounts[number % len(accounts)], stop, dice) for number in range(clients)]
    orders = Orders(accounts, receiver, stop, dice)
    for thread in [orders, *lookers]:
        thread.start()
    died = worker_after_worker(farm, seconds, dice)
    stop.set()
    for thread in [orders, *lookers]:
        thread.join()
    if orders.gave_up:
        raise orders.gave_up
    films = [(client, project) for client, projects in accounts for project in projects]
    wrong = [why for client, project in films if (why := what_is_wrong(client, project))]
    until("webhooks", lambda: len(receiver.told) == len(films), 120)
    doubled = sum(1 for ids in receiver.told.values() if len(ids) != 1)
    paid = sum(before) - sum(client.credits() for client, _ in accounts)
    exact = paid == sum(receiver.costs.values())
    took = sorted(time for looker in lookers for time in looker.took)
    failed = [why for looker in lookers for why in looker.failed]
    at = lambda share: 1000 * took[min(len(took) - 1, int(share * len(took)))]
    print(f"{clients} clients for {seconds} s, {died} workers killed: {len(took)} reads, of which 50 of 100 took less than "
          f"{at(0.5):.0f} ms, 99 less than {at(0.99):.0f} ms, {len(failed)} failed; {len(films)} films, each looked at: "
          f"{len(wrong)} wrong, {doubled} told of twice, ledger {'exact' if exact else 'WRONG'}")
    for why in (wrong + failed)[:10]:
        print("  ", why)
    return at(0.99) < SLOWEST and not failed and not wrong and not doubled and exact and len(films) >= seconds / 6


def worker_after_worker(farm, seconds, dice):
    """Kills a worker now and then, which is begun again, and says how many it were."""
    end, died = time.monotonic() + seconds, 0
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, dice.uniform(5, 15)))
        worker = dice.choice(farm.workers)
        worker.kill()
        died += 1
        time.sleep(dice.uniform(0, 2))
        worker.begin()
    return died


def what_is_wrong(client, project):
    """Nothing of a film that is there, whole and as long as it says."""
    told = client.wait(project)
    if told["state"] != "exported":
        return f"{project}: {json.dumps(told)}"
    film, at, boxes = fetch(told["downloadUrl"]), 0, []
    while at + 8 <= len(film):
        length = int.from_bytes(film[at:at + 4], "big")
        length = int.from_bytes(film[at + 8:at + 16], "big") if length == 1 else length
        boxes.append(film[at + 4:at + 8].decode("latin-1"))
        at += max(length, 8)
    whole = at == len(film) and {"ftyp", "moov", "mdat"} <= set(boxes)
    return None if whole else f"{project}: {len(film)} bytes, boxes {boxes}"
