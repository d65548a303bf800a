#!/usr/bin/env python3
"""The compose file and the Containerfile: do they agree with each other, with the program, and within themselves?

Called by scripts/image.sh.

  compose.py --compere FILE
"""

import argparse
import pathlib
import re
import urllib.parse

import yaml

from program import ROOT, Faults, Image, Program

COMPOSE = ROOT / "deploy/compose.yaml"
CONTAINERFILE = ROOT / "deploy/Containerfile"
#: Of those that the Compose specification has for services, what a farm could want.
SERVICE = {"image", "build", "restart", "stop_grace_period", "depends_on", "environment", "command", "entrypoint", "ports", "volumes",
           "deploy", "healthcheck", "user", "read_only", "cap_drop", "security_opt", "networks", "profiles", "shm_size", "tmpfs"}
TOP = {"name", "services", "volumes", "networks", "configs", "secrets"}
CONDITIONS = {"service_started", "service_healthy", "service_completed_successfully"}
#: What the servers listen to where they are told nothing else, by the start of their image's name.
LISTENS = {"postgres:": {5432}, "temporalio/": {7233}, "chrislusf/seaweedfs:": {9333, 8888, 8333}}


def main():
    said = argparse.ArgumentParser()
    said.add_argument("--compere", required=True)
    said.add_argument("--compose", default=COMPOSE)
    said.add_argument("--containerfile", default=CONTAINERFILE)
    said = said.parse_args()
    faults, image, program = Faults(), Image(said.containerfile), Program(said.compere)
    containerfile(image, faults)
    Compose(pathlib.Path(said.compose), faults, image, program).look()
    faults.end("compose file and Containerfile")


def containerfile(image, faults):
    where = "Containerfile"
    froms = [rest.split()[0] for word, rest in image.lines if word == "FROM"]
    faults.unless(froms == ["${BASE}", "${BASE}"], where, f"{froms}: what was linked in one system is run in another")
    copied = {}
    for rest in image.all("COPY"):
        stage = re.match(r"--from=(\S+)", rest)
        source, target = rest.split()[-2:]
        if stage:
            faults.unless(stage[1] in image.stages, where, f"copies from {stage[1]}, which is no stage of {image.stages}")
            copied[target] = source
        else:
            faults.unless((ROOT / source).exists(), where, f"copies {source}, which is not in the checkout")
    program = re.findall(r'"([^"]+)"', image.one("ENTRYPOINT"))[0]
    faults.unless(copied.get(program, "").endswith("target/release/compere"), where, f"begins with {program}, which is not what was built")
    assets = copied.get(image.environment.get("COMPERE_ASSETS"))
    faults.unless(assets, where, "assets are not where COMPERE_ASSETS says")
    put = [pair.split("=", 1)[1] for word, rest in image.former if word == "ENV" for pair in rest.split() if pair.startswith("COMPERE_ASSETS=")]
    faults.unless(put == [assets], where, f"assets are put into {put} and copied from {assets}")
    builds = [rest for word, rest in image.lines if word == "RUN" and "cargo build" in rest]
    faults.unless(len(builds) == 1 and "compere/temporal" in builds[0] and "--locked" in builds[0], where, f"builds no farm's program: {builds}")
    faults.unless(image.one("VOLUME") == image.environment.get("COMPERE_DATA"), where, "VOLUME is not COMPERE_DATA")
    faults.unless(image.environment.get("COMPERE_LISTEN") == f"0.0.0.0:{image.one('EXPOSE')}", where, "COMPERE_LISTEN is not what is exposed")
    faults.unless(any(f"--uid {image.one('USER')} " in rest for rest in image.all("RUN")), where, f"makes no user {image.one('USER')}")


class Compose:
    def __init__(self, path, faults, image, program):
        self.folder, self.faults, self.image, self.program = path.resolve().parent, faults, image, program
        text = path.read_text(encoding="utf-8")
        self.asked = set(re.findall(r"\$\{(\w+):?\?", text))
        self.told = set(re.findall(r"\b[A-Z_]{6,}\b", "\n".join(line for line in text.splitlines() if line.startswith("#"))))
        # What has to be set is a word here; what has a default is that.
        text = re.sub(r"\$\{(\w+):?\?[^}]*\}", r"given-\1", text)
        self.file = yaml.safe_load(re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text))
        self.services = self.file["services"]

    def unless(self, right, where, what):
        return self.faults.unless(right, f"compose.yaml: {where}", what)

    def look(self):
        top = {key for key in self.file if not key.startswith("x-")}
        self.unless(top <= TOP, "top", f"unknown: {sorted(top - TOP)}")
        self.unless(self.asked <= self.told, "top", f"wants {sorted(self.asked - self.told)} and does not say so at its top")
        for name, service in self.services.items():
            self.unless(set(service) <= SERVICE, name, f"unknown: {sorted(set(service) - SERVICE)}")
            self.unless("image" in service, name, "has no image")
            self.waits(name, service)
            self.volumes(name, service)
        used = {at.split(":")[0] for service in self.services.values() for at in service.get("volumes", []) if at[0] not in "./"}
        self.unless(used == set(self.file["volumes"]), "volumes", f"{sorted(self.file['volumes'])} are declared, {sorted(used)} used")
        ours = {name: service for name, service in self.services.items() if "build" in service}
        self.unless(sorted(service["command"][0] for service in ours.values()) == ["serve", "worker"], "services",
                    f"{sorted(ours)} are not a service and workers")
        for name, service in ours.items():
            self.ours(name, service)
        self.temporal()
        self.bucket()

    def waits(self, name, service):
        others = service.get("depends_on", [])
        for other in others:
            if not self.unless(other in self.services, name, f"waits for {other}, which is not there"):
                continue
            condition = others[other]["condition"] if isinstance(others, dict) else "service_started"
            self.unless(condition in CONDITIONS, name, f"there is no condition {condition}")
            self.unless(condition != "service_healthy" or "healthcheck" in self.services[other], name, f"{other} does not say whether it is healthy")

    def volumes(self, name, service):
        for volume in service.get("volumes", []):
            here, there = volume.split(":")[:2]
            self.unless(there.startswith("/"), name, f"{volume} is nowhere in the container")
            if here.startswith("."):
                self.unless((self.folder / here).is_file(), name, f"{here} is not there")

    def ours(self, name, service):
        build = service["build"]
        context = (self.folder / build["context"]).resolve()
        self.unless((context / build["dockerfile"]).is_file(), name, f"there is no {build['dockerfile']} in {context}")
        self.unless((context / "Cargo.toml").is_file(), name, f"{context} is no checkout")
        refused = self.program.refuses(service["command"])
        self.unless(not refused, name, f"{service['command']}: {refused}")
        given = service["environment"]
        for variable in given:
            self.unless(variable in self.program.settings, name, f"no page tells operators of {variable}")
        missing = {"COMPERE_DATABASE", "COMPERE_ENGINE", "COMPERE_OBJECTS", "COMPERE_PUBLIC_URL", "AWS_ENDPOINT_URL"} - set(given)
        self.unless(not missing, name, f"is not told {sorted(missing)}")
        for variable in ("COMPERE_DATABASE", "COMPERE_ENGINE", "AWS_ENDPOINT_URL"):
            self.leads_to_a_server(name, variable, given.get(variable, ""))
        for port in service.get("ports", []):
            outside, inside = port.split(":")
            self.unless(inside == self.image.one("EXPOSE"), name, f"{inside} is published; the image has {self.image.one('EXPOSE')}")
            public = urllib.parse.urlsplit(given.get("COMPERE_PUBLIC_URL", "")).port
            self.unless(public == int(outside), name, f"links say {public}, it is published at {outside}")
        for volume in service.get("volumes", []):
            self.unless(volume.split(":")[1] == self.image.one("VOLUME"), name, f"{volume}; the image keeps {self.image.one('VOLUME')}")

    def leads_to_a_server(self, name, variable, address):
        to = urllib.parse.urlsplit(address)
        if not self.unless(to.hostname in self.services, name, f"{variable} leads to {to.hostname}, which is not there"):
            return
        image = self.services[to.hostname]["image"]
        ports = next((ports for start, ports in LISTENS.items() if image.startswith(start)), set())
        self.unless((to.port or 5432) in ports, name, f"{variable} leads to port {to.port}; {image} listens to {sorted(ports)}")

    def temporal(self):
        (name, temporal), = [(name, service) for name, service in self.services.items() if "POSTGRES_SEEDS" in service.get("environment", {})]
        given = temporal["environment"]
        database = self.services.get(given["POSTGRES_SEEDS"])
        if self.unless(database, name, f"there is no {given['POSTGRES_SEEDS']}"):
            for theirs, own in (("POSTGRES_USER", "POSTGRES_USER"), ("POSTGRES_PWD", "POSTGRES_PASSWORD")):
                self.unless(given[theirs] == database["environment"][own], name, f"{theirs} is not the database's {own}")
        mounted = {volume.split(":")[1] for volume in temporal["volumes"]}
        self.unless(given["DYNAMIC_CONFIG_FILE_PATH"] in mounted, name, "its dynamic settings are not mounted where it reads them")
        dynamic = yaml.safe_load((self.folder / "temporal.yaml").read_text(encoding="utf-8"))
        self.unless(dynamic.get("matching.enableFairness") == [{"value": True}], name, "accounts would not take turns")
        for ours in self.services.values():
            if "build" in ours:
                at = urllib.parse.urlsplit(ours["environment"].get("COMPERE_DATABASE", ""))
                begun = (given["POSTGRES_USER"], given["POSTGRES_PWD"], f"/{database['environment']['POSTGRES_DB']}")
                self.unless((at.username, at.password, at.path) == begun, "COMPERE_DATABASE",
                            "another user, password or database than the server was begun with")

    def bucket(self):
        made = set(re.findall(r"s3\.bucket\.create -name (\S+?)'", str(self.services["bucket"]["command"][-1])))
        wanted = {ours["environment"].get("COMPERE_OBJECTS", "").removeprefix("s3://") for ours in self.services.values() if "build" in ours}
        self.unless(made == wanted, "bucket", f"{sorted(made)} is made, {sorted(wanted)} wanted")
        for server in re.findall(r"=(\w+):(\d+)", self.services["bucket"]["command"][-1]):
            listens = server[0] in self.services and int(server[1]) in LISTENS["chrislusf/seaweedfs:"]
            self.unless(listens, "bucket", f"nobody listens at {':'.join(server)}")


if __name__ == "__main__":
    main()
