"""Many who look at once, while films are ordered and workers die."""

import json
import pathlib
import subprocess
import sys
import threading
import time

from clients import Receiver, fetch, is_over
from programs import FIRST, until, weigh

#: Clients of one account: its plan allows 600 requests a minute.
TOGETHER = 10
#: Films that are ordered and not made.
AT_ONCE = 6
#: Milliseconds that ninety-nine of a hundred reads take at most.
SLOWEST = 50


class Lookers:
    """Those who look, in a process of their own, which goes before all others: clients have machines of their own."""

    def __init__(self, farm, accounts, clients, dice):
        look = pathlib.Path(__file__).with_name("look.py")
        self.process = subprocess.Popen([sys.executable, str(look)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        start_new_session=True)
        weigh(self.process.pid, FIRST)
        tokens = [client.token for client, _ in accounts]
        self.tell({"ports": farm.ports, "tokens": tokens, "clients": clients, "seed": dice.random()})

    def tell(self, what):
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()

    def end(self):
        """How long each look took, in order, and what failed."""
        told = json.loads(self.process.communicate()[0])
        return sorted(told["took"]), told["failed"]


class Orders(threading.Thread):
    """Keeps some films ordered, of one account after the other."""

    def __init__(self, accounts, receiver, lookers, stop, dice):
        super().__init__(daemon=True)
        self.accounts, self.receiver, self.lookers, self.stop, self.dice = accounts, receiver, lookers, stop, dice
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
                account = number % len(self.accounts)
                client, projects = self.accounts[account]
                seconds = self.dice.choice([3, 5, 8])
                projects.append(client.order(f"Load {number}", seconds, self.receiver.address))
                self.lookers.tell({"account": account, "project": projects[-1]})
                under_way.append((client, projects[-1]))
                number += 1


def under_load(farm, seconds, clients, dice):
    stop, receiver = threading.Event(), Receiver()
    accounts = [(farm.customer(f"load{number}"), []) for number in range(-(-clients // TOGETHER))]
    before = [client.credits() for client, _ in accounts]
    lookers = Lookers(farm, accounts, clients, dice)
    orders = Orders(accounts, receiver, lookers, stop, dice)
    orders.start()
    died = worker_after_worker(farm, seconds, dice)
    stop.set()
    orders.join()
    took, failed = lookers.end()
    if orders.gave_up:
        raise orders.gave_up
    films = [(client, project) for client, projects in accounts for project in projects]
    wrong = [why for client, project in films if (why := what_is_wrong(client, project))]
    until("webhooks", lambda: len(receiver.told) == len(films), 120)
    doubled = sum(1 for ids in receiver.told.values() if len(ids) != 1)
    paid = sum(before) - sum(client.credits() for client, _ in accounts)
    exact = paid == sum(receiver.costs.values())
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
