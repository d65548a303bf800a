"""Many who have a page open and look again and again: a process of its own, so that it waits for nobody but the farm.

Reads lines of JSON: who looks, then every film that was ordered meanwhile. When there are no more it writes how many seconds
each look took, and what failed.
"""

import http.client
import json
import random
import sys
import threading
import time

from programs import HERE

#: Between two looks of a client.
PAUSE = 1.5


class Looker(threading.Thread):
    """Somebody with a page open: looks again and again, and notes how long each answer took."""

    def __init__(self, ports, token, projects, stop, dice):
        super().__init__(daemon=True)
        self.port, self.token, self.projects, self.stop = dice.choice(ports), token, projects, stop
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


def main():
    asked = json.loads(sys.stdin.readline())
    stop, dice, tokens = threading.Event(), random.Random(asked["seed"]), asked["tokens"]
    projects = [[] for _ in tokens]
    lookers = [Looker(asked["ports"], tokens[one], projects[one], stop, dice)
               for one in (number % len(tokens) for number in range(asked["clients"]))]
    for thread in lookers:
        thread.start()
    for line in sys.stdin:
        ordered = json.loads(line)
        projects[ordered["account"]].append(ordered["project"])
    stop.set()
    for thread in lookers:
        thread.join()
    json.dump({"took": [time for looker in lookers for time in looker.took],
               "failed": [why for looker in lookers for why in looker.failed]}, sys.stdout)


if __name__ == "__main__":
    main()
