"""Parts of a farm die while films are ordered."""

import json
import os
import signal
import threading
import time

from clients import Receiver, fetch, is_over
from programs import until


class Faults:
    """Things that happen to farms, each mended after a moment."""

    def __init__(self, farm, dice):
        self.farm, self.dice, self.done = farm, dice, {}

    def strike(self):
        farm, dice = self.farm, self.dice
        kinds = [(6, "worker killed", self.worker_killed), (3, "film's process killed", self.child_killed),
                 (3, "service killed", self.service_killed), (2, "worker stopped", self.worker_stopped),
                 (2, "network cut", self.network_cut),
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

    def network_cut(self):
        """A worker draws on and reaches nobody."""
        wires = self.dice.choice(self.farm.wires)
        for wire in wires:
            wire.whole.clear()
        time.sleep(self.dice.choice([2, 14]))
        for wire in wires:
            wire.whole.set()

    def worker_stopped(self):
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
