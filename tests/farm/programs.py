"""Programs that can be killed and begun again, and the way to them, which can be cut."""

import asyncio
import glob
import os
import pathlib
import random
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time
import urllib.error

HERE = "127.0.0.1"
#: How willingly a program lets others go first, and one that goes before them.
LAST, FIRST = 19, -10


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


def weigh(pid, willingness):
    """What one session has of the cores beside the others. Of processes in different sessions their own niceness says nothing
    to Linux, which weighs sessions first. Where it does not, or forbids it, all are alike."""
    try:
        pathlib.Path(f"/proc/{pid}/autogroup").write_text(str(willingness))
    except OSError:
        pass


class Program:
    """A process with its children, that can be killed and begun again."""

    def __init__(self, name, command, log, env=None, user=None, willingness=0):
        self.name, self.command, self.log, self.env, self.user = name, command, log, env, user
        self.willingness = willingness
        self.process = None

    def begin(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [str(part) for part in self.command], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/",
                env={**os.environ, **(self.env or {})}, user=self.user, start_new_session=True,
            )
        weigh(self.process.pid, self.willingness)

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


class Wire:
    """The way of one node to a server. What is sent while it is cut waits, as where a network is gone for a while."""

    def __init__(self, to):
        self.to, self.whole = to, threading.Event()
        self.whole.set()
        self.listening = socket.create_server((HERE, 0))
        self.port = self.listening.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            near, _ = self.listening.accept()
            threading.Thread(target=self.connect, args=(near,), daemon=True).start()

    def connect(self, near):
        self.whole.wait()
        try:
            far = socket.create_connection((HERE, self.to), 5)
        except OSError:
            near.close()
            return
        far.settimeout(None)
        for end in (near, far):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for one, other in ((near, far), (far, near)):
            threading.Thread(target=self.carry, args=(one, other), daemon=True).start()

    def carry(self, one, other):
        try:
            while data := one.recv(1 << 16):
                self.whole.wait()
                other.sendall(data)
        except OSError:
            pass
        # The other direction is waiting in recv: closing alone would not wake it.
        for end in (one, other):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()


class Sealed:
    """An encrypted way to something that speaks HTTP/2 and knows of no encryption. Each end shows the same certificate."""

    def __init__(self, to, folder):
        self.to, self.cert, self.key = to, folder / "seal.pem", folder / "seal.key"
        make = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=farm", "-addext", f"subjectAltName=IP:{HERE}", "-addext", "basicConstraints=critical,CA:FALSE",
                "-out", self.cert, "-keyout", self.key]
        subprocess.run([str(part) for part in make], check=True, stderr=subprocess.DEVNULL)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.cert, self.key)
        self.context.load_verify_locations(self.cert)
        self.context.verify_mode = ssl.CERT_REQUIRED
        self.context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        self.context.set_alpn_protocols(["h2"])
        self.port = port()
        threading.Thread(target=lambda: asyncio.run(self.serve()), daemon=True).start()

    async def serve(self):
        async with await asyncio.start_server(self.connect, HERE, self.port, ssl=self.context) as server:
            await server.serve_forever()

    async def connect(self, near, back):
        try:
            far, there = await asyncio.open_connection(HERE, self.to)
        except OSError:
            back.close()
            return
        await asyncio.gather(self.carry(near, there), self.carry(far, back))

    async def carry(self, one, other):
        try:
            while data := await one.read(1 << 16):
                other.write(data)
                await other.drain()
        except OSError:
            pass
        other.close()
