"""What is installed, as those who install it see it: the program's options, settings and doors, and what its image says."""

import pathlib
import re
import shlex
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Faults:
    """Everything that is wrong, each with its place, told at once at the end."""

    def __init__(self):
        self.found, self.looked_at = [], 0

    def unless(self, right, where, what):
        self.looked_at += 1
        if not right:
            self.found.append(f"{where}: {what}")
        return bool(right)

    def end(self, of):
        for fault in self.found:
            print(fault, file=sys.stderr)
        if self.found:
            sys.exit(f"{of}: {len(self.found)} of {self.looked_at} checks failed")
        if not self.looked_at:
            sys.exit(f"{of}: nothing was looked at")
        print(f"{of}: {self.looked_at} checks, all right")


class Program:
    def __init__(self, path):
        if not pathlib.Path(path).is_file():
            sys.exit(f"there is no program {path}: cargo build --release makes it, and COMPERE says where another is")
        self.path = str(path)
        self.settings = settings()

    def refuses(self, arguments):
        """Why it would not take these arguments, or nothing. Options and their values are read before help is given."""
        asked = subprocess.run([self.path, *map(str, arguments), "--help"], capture_output=True, text=True, check=False)
        if asked.returncode:
            return asked.stderr.strip().splitlines()[0]
        queues = option(arguments, "--queues")
        unknown = set(queues.split(",")) - self.queues(arguments[0]) if queues else None
        return f"there is no queue {', '.join(sorted(unknown))}" if unknown else None

    def queues(self, command):
        """Those that a node of this kind may take up, as help names them."""
        return set(re.findall(r"`(\w+)`", self.help_of(command, "--queues")))

    def taken_up(self, arguments):
        """The queues that a node with these arguments takes up."""
        chosen = option(arguments, "--queues") or re.search(r"\[default: ([\w,]+)\]", self.help_of(arguments[0], "--queues"))[1]
        return set(chosen.split(","))

    def help_of(self, command, wanted):
        said = subprocess.run([self.path, command, "--help"], capture_output=True, text=True, check=True).stdout
        entry = re.search(rf"^ +{wanted} .*(?:\n {{10,}}.*)*", said, re.MULTILINE)
        if not entry:
            sys.exit(f"{self.path} has no {wanted} in `{command} --help`")
        return " ".join(entry[0].split())

    def serves(self, environment, paths):
        """What each path answers in a service that was begun with these settings, on this machine alone; or why it did not begin."""
        with tempfile.TemporaryDirectory() as folder, socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            at = f"127.0.0.1:{free.getsockname()[1]}"
            free.close()
            own = {"COMPERE_DATA": folder, "COMPERE_WELCOME": "false", "COMPERE_LISTEN": at, "PATH": "/usr/bin:/bin"}
            log = pathlib.Path(folder, "said")
            with log.open("w", encoding="utf-8") as said:
                service = subprocess.Popen([self.path, "serve"], env=environment | own, stdout=said, stderr=said)
            try:
                if not begun(service, at):
                    return log.read_text(encoding="utf-8").strip() or "it said nothing"
                return {path: answer(f"http://{at}{path}") for path in paths}
            finally:
                service.terminate()
                service.wait(60)


def begun(service, at):
    host, port = at.split(":")
    for _ in range(600):
        if service.poll() is not None:
            return False
        try:
            socket.create_connection((host, int(port)), 1).close()
            return True
        except OSError:
            time.sleep(0.1)
    return False


def answer(address):
    try:
        with urllib.request.urlopen(address, timeout=20) as answered:
            return answered.status
    except urllib.error.HTTPError as refused:
        return refused.code


def option(arguments, name):
    """What is said after an option, if it is there."""
    words = [str(word) for word in arguments]
    return words[words.index(name) + 1] if name in words[:-1] else None


def settings():
    """Names of variables that operators are told of."""
    told = [*ROOT.glob("docs/*.md"), ROOT / "deploy/compere.env"]
    return {name for page in told for name in re.findall(r"\b(?:COMPERE|AWS)_[A-Z_]+\b", page.read_text(encoding="utf-8"))}


class Image:
    """What a Containerfile says of the image that it ends with."""

    def __init__(self, path):
        text = re.sub(r"\\\n", " ", pathlib.Path(path).read_text(encoding="utf-8"))
        self.lines = [line.split(None, 1) for line in text.splitlines() if line.strip() and not line.startswith("#")]
        last = max(n for n, (word, _) in enumerate(self.lines) if word == "FROM")
        self.stages = [rest.split()[-1] for word, rest in self.lines if word == "FROM" and " AS " in rest]
        self.former, self.final = self.lines[:last], self.lines[last + 1:]
        self.environment = dict(pair.split("=", 1) for pair in shlex.split(" ".join(self.all("ENV"))))

    def all(self, word):
        return [rest for said, rest in self.final if said == word]

    def one(self, word):
        (rest,) = self.all(word)
        return rest.strip()
