"""Those who order films of a farm, and those who are told of them."""

import http.client
import http.server
import json
import random
import threading
import time
import urllib.error
import urllib.request

from programs import HERE

#: For a film, with all that may die meanwhile.
PATIENCE = 420


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


def is_over(client, project):
    return client.ask(f"/editor/progress/{project}")["state"] in ("exported", "failed", "cancelled")
