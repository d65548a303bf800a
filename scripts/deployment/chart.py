#!/usr/bin/env python3
"""The chart, rendered by Helm with several values: is that what Kubernetes, KEDA, the program and its image understand?

Called by scripts/chart.sh.

  chart.py --helm FILE --compere FILE --assets FOLDER [--chart FOLDER]
"""

import argparse
import json
import pathlib
import re
import subprocess
import tempfile

import kubernetes_validate
import yaml

from program import ROOT, Faults, Image, Program, option

#: The oldest Kubernetes that the chart is held to, and the newest that schemas are at hand for.
KUBERNETES = ["1.29", kubernetes_validate.latest_version()]

#: Release name and values of each rendering.
RENDERINGS = {
    "as it is": ("films", {}),
    "without KEDA": ("films", {"worker": {"keda": {"enabled": False}, "replicas": 7}}),
    "another name and image": ("compere", {"image": {"repository": "registry.internal:5000/compere", "tag": "2026-12"}}),
    "other servers": ("films", {
        "secret": "films-keys", "temporal": {"host": "temporal.internal", "port": 17233, "namespace": "weddings"}}),
    "large numbers, and settings that YAML takes for something else": ("films", {
        "settings": {"COMPERE_SHARED_CACHE": 12345678, "COMPERE_BAKE_AHEAD": False, "COMPERE_LOG": "info,sqlx=warn",
                     "COMPERE_ALLOW": "10.0.0.7:*", "COMPERE_WORKER_MEMORY": 0},
        "service": {"port": 80, "replicas": 3}, "worker": {"keda": {"max": 1000000, "waiting": 1000000}}}),
    "slots as the machine allows, nothing reserved": ("films", {
        "service": {"resources": {}}, "worker": {"slots": "auto", "resources": None, "cache": "1.5Ti"}}),
}

#: https://keda.sh/docs/2.17/reference/scaledobject-spec/
SCALED = {"scaleTargetRef", "pollingInterval", "cooldownPeriod", "initialCooldownPeriod", "idleReplicaCount", "minReplicaCount",
          "maxReplicaCount", "fallback", "advanced", "triggers"}
#: https://keda.sh/docs/2.17/scalers/temporal/, without those that 2.22 does not know any more
TEMPORAL = {"endpoint", "namespace", "taskQueue", "queueTypes", "targetQueueSize", "activationTargetQueueSize", "minConnectTimeout",
            "unsafeSsl"}


def main():
    said = argparse.ArgumentParser()
    for name in ("helm", "compere", "assets"):
        said.add_argument(f"--{name}", required=True)
    said.add_argument("--chart", default=ROOT / "deploy/chart")
    said = said.parse_args()
    faults = Faults()
    program, image = Program(said.compere), Image(ROOT / "deploy/Containerfile")
    for name, (release, values) in RENDERINGS.items():
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            yaml.safe_dump(values, file)
            file.flush()
            for command in (["lint", "--strict"], ["template", release]):
                done = subprocess.run([said.helm, *command, said.chart, "--values", file.name], capture_output=True, text=True, check=False)
                if not faults.unless(done.returncode == 0, f"{name}: helm {command[0]}", (done.stdout + done.stderr).strip()):
                    break
            else:
                Rendering(name, done.stdout, whole(said.chart, values), faults, program, image, said.assets).look()
    faults.end("chart")


def whole(chart, values):
    """The chart's values with others over them, as Helm lays them."""
    def over(below, above):
        if not isinstance(below, dict) or not isinstance(above, dict):
            return above
        return below | {key: over(below.get(key), value) for key, value in above.items()}
    return over(yaml.safe_load(pathlib.Path(chart, "values.yaml").read_text(encoding="utf-8")), values)


class Rendering:
    def __init__(self, name, text, values, faults, program, image, assets):
        self.name, self.values, self.faults, self.program, self.image, self.assets = name, values, faults, program, image, assets
        self.documents = [document for document in yaml.safe_load_all(text) if document is not None]

    def unless(self, right, where, what):
        return self.faults.unless(right, f"{self.name}: {where}", what)

    def of(self, kind):
        return [document for document in self.documents if document.get("kind") == kind]

    def look(self):
        if not all([self.is_named(document) for document in self.documents]):
            return
        self.names_are_names_once()
        for document in self.documents:
            if document["kind"] != "ScaledObject":
                self.keeps_the_schema(document, called(document))
        # What the program takes is asked first: the rest reads what its arguments say.
        if not all([self.begins(deployment) for deployment in self.of("Deployment")]):
            return
        for deployment in self.of("Deployment"):
            self.deployment(deployment)
        self.unless({"serve", "worker"} == {pod(made)["args"][0] for made in self.of("Deployment")}, "deployments", "not a service and a worker")
        for service in self.of("Service"):
            self.service(service)
        scaled = self.of("ScaledObject")
        wanted = 1 if self.values["worker"]["keda"]["enabled"] else 0
        self.unless(len(scaled) == wanted, "ScaledObject", f"{len(scaled)} of them where {wanted} is wanted")
        for one in scaled:
            self.scaled(one)
        self.doors()

    def is_named(self, document):
        where = json.dumps(document)[:60]
        return self.unless(
            isinstance(document, dict) and document.get("apiVersion") and document.get("kind") and document.get("metadata", {}).get("name"),
            where, "lacks apiVersion, kind or metadata.name")

    def names_are_names_once(self):
        names = [called(document) for document in self.documents]
        self.unless(len(names) == len(set(names)), "documents", f"a name twice among {names}")

    def keeps_the_schema(self, document, where):
        for version in KUBERNETES:
            try:
                kubernetes_validate.validate(document, version, strict=True)
                self.unless(True, where, "")
            except (kubernetes_validate.ValidationError, kubernetes_validate.SchemaNotFoundError) as error:
                self.unless(False, where, f"Kubernetes {version}: {'.'.join(map(str, getattr(error, 'path', [])))} {error.message}")

    def begins(self, made):
        arguments = pod(made)["args"]
        refused = self.program.refuses(arguments)
        return self.unless(not refused, f"{called(made)} args", f"{arguments}: {refused}")

    def deployment(self, made):
        where, spec, container = called(made), made["spec"], pod(made)
        labels = spec["template"]["metadata"]["labels"]
        self.unless(selects(spec["selector"]["matchLabels"], labels), where, "does not select its own pods")
        others = [other for other in self.of("Deployment") if other is not made]
        self.unless(not any(selects(spec["selector"]["matchLabels"], other["spec"]["template"]["metadata"]["labels"]) for other in others),
                    where, "selects another's pods")
        wanted = self.values["image"]
        self.unless(container["image"] == f"{wanted['repository']}:{wanted['tag']}", f"{where} image", container["image"])
        self.environment(made, where)
        self.volumes(made, where)
        self.user(container, where)
        self.ports(container, where)
        scaled = container["args"][0] == "worker" and self.values["worker"]["keda"]["enabled"]
        kind = "worker" if container["args"][0] == "worker" else "service"
        self.unless(spec.get("replicas") == (None if scaled else self.values[kind]["replicas"]), f"{where} replicas",
                    f"{spec.get('replicas')}; KEDA alone counts what it scales")

    def environment(self, made, where):
        names = [entry["name"] for entry in pod(made)["env"]]
        self.unless(len(names) == len(set(names)), f"{where} env", f"a name twice among {names}")
        for name in names:
            self.unless(name in self.program.settings, f"{where} env", f"no page tells operators of {name}")
        given = variables(made)
        for name, value in self.values["settings"].items():
            meant = str(value).lower() if isinstance(value, bool) else str(value)
            self.unless(given.get(name) == meant, f"{where} env", f"{name} is {given.get(name)!r} where {meant!r} was set")
        temporal = self.values["temporal"]
        engine = f"temporal://{temporal['host']}:{temporal['port']}/{temporal['namespace']}"
        self.unless(given.get("COMPERE_ENGINE") == engine, f"{where} env", f"COMPERE_ENGINE is {given.get('COMPERE_ENGINE')!r}, not {engine!r}")
        secrets = [source.get("secretRef", {}).get("name") for source in pod(made)["envFrom"]]
        # The operator's own: the chart is given no keys.
        self.unless(secrets == [self.values["secret"]], f"{where} envFrom", f"{secrets}, and not the secret {self.values['secret']!r}")

    def volumes(self, made, where):
        mounts, there = pod(made)["volumeMounts"], {volume["name"] for volume in made["spec"]["template"]["spec"]["volumes"]}
        for mount in mounts:
            self.unless(mount["name"] in there, f"{where} volumeMounts", f"there is no volume {mount['name']}")
        data = variables(made).get("COMPERE_DATA", self.image.environment["COMPERE_DATA"])
        self.unless(any(within(data, mount["mountPath"]) for mount in mounts), f"{where} volumeMounts", f"nothing is mounted at {data}")
        # What is mounted belongs to root and is open to all of the pod; a folder in it is made by the program, for itself alone.
        self.unless(all(data != mount["mountPath"] for mount in mounts), f"{where} COMPERE_DATA", f"{data} itself is mounted: it cannot be shut")

    def user(self, container, where):
        security = container["securityContext"]
        self.unless(str(security["runAsUser"]) == self.image.one("USER"), f"{where} runAsUser",
                    f"{security['runAsUser']}; the image has {self.image.one('USER')}")

    def ports(self, container, where):
        ports = {port["name"]: port["containerPort"] for port in container.get("ports", [])}
        listens = option(container["args"], "--listen")
        if container["args"][0] == "serve":
            listens = listens or self.image.environment["COMPERE_LISTEN"]
        if not listens:
            self.unless(not ports, f"{where} ports", f"{ports}, and nothing listens there")
            return
        self.unless(list(ports.values()) == [int(listens.rsplit(":", 1)[1])], f"{where} ports", f"{ports}; it listens to {listens}")
        self.unless(str(*ports.values()) == self.image.one("EXPOSE"), f"{where} ports", f"{ports}; the image has {self.image.one('EXPOSE')}")
        for probe in probes(container):
            self.unless(probe["port"] in ports, f"{where} probes", f"there is no port {probe['port']}")

    def service(self, service):
        where, spec = called(service), service["spec"]
        to = [pod(made) for made in self.of("Deployment") if selects(spec["selector"], made["spec"]["template"]["metadata"]["labels"])]
        if self.unless(len(to) == 1, f"{where} selector", f"{len(to)} deployments have what it selects"):
            names = {port["name"] for port in to[0].get("ports", [])}
            for port in spec["ports"]:
                self.unless(port["targetPort"] in names, f"{where} targetPort", f"{port['targetPort']} is none of {sorted(names)}")
        self.unless([port["port"] for port in spec["ports"]] == [self.values["service"]["port"]], f"{where} port", str(spec["ports"]))

    def scaled(self, scaled):
        where, spec = called(scaled), scaled["spec"]
        self.unless(scaled["apiVersion"] == "keda.sh/v1alpha1", where, scaled["apiVersion"])
        self.unless(set(spec) <= SCALED, where, f"KEDA does not know {sorted(set(spec) - SCALED)}")
        to = [made for made in self.of("Deployment") if made["metadata"]["name"] == spec["scaleTargetRef"]["name"]]
        if not self.unless(len(to) == 1, f"{where} scaleTargetRef", f"there is no deployment {spec['scaleTargetRef']['name']}"):
            return
        wanted = self.values["worker"]["keda"]
        fields = (("minReplicaCount", "min"), ("maxReplicaCount", "max"), ("cooldownPeriod", "cooldown"))
        # A text that looks like a number is none: `is int`.
        if all([self.unless(type(spec.get(field)) is int and spec[field] == wanted[meant], f"{where} {field}",
                            f"{spec.get(field)!r}, where {wanted[meant]} was set") for field, meant in fields]):
            self.autoscaler(spec, where, wanted)
        triggers = spec["triggers"]
        if self.unless(len(triggers) == 1 and triggers[0]["type"] == "temporal", f"{where} triggers", f"{triggers}"):
            self.trigger(triggers[0]["metadata"], f"{where} triggers", to[0], wanted)

    def autoscaler(self, spec, where, wanted):
        """What KEDA hands on to Kubernetes. Its own cooldown counts for the last worker only, where `min` is 0."""
        config = spec.get("advanced", {}).get("horizontalPodAutoscalerConfig", {})
        self.unless(set(config) <= {"name", "behavior"}, f"{where} advanced", f"{sorted(config)}")
        down = config.get("behavior", {}).get("scaleDown", {})
        self.unless(down.get("stabilizationWindowSeconds") == wanted["cooldown"], f"{where} advanced",
                    f"workers beyond the first are ended after {down.get('stabilizationWindowSeconds', 300)} s, not after {wanted['cooldown']}")
        # The schema does not say so: https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/horizontal-pod-autoscaler-v2/
        self.unless(0 <= down.get("stabilizationWindowSeconds", 0) <= 3600, f"{where} advanced", "Kubernetes waits for an hour at most")
        self.keeps_the_schema({
            "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": {"name": "made-by-keda"},
            "spec": {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": spec["scaleTargetRef"]["name"]},
                     "minReplicas": spec["minReplicaCount"], "maxReplicas": spec["maxReplicaCount"], "behavior": config.get("behavior", {})},
        }, f"{where} advanced")
        self.unless(spec["minReplicaCount"] <= spec["maxReplicaCount"], where, "fewer at most than at least")

    def trigger(self, told, where, worker, wanted):
        self.unless(set(told) <= TEMPORAL, where, f"KEDA's scaler for Temporal does not know {sorted(set(told) - TEMPORAL)}")
        self.unless({"endpoint", "taskQueue"} <= set(told), where, "endpoint and taskQueue have to be there")
        self.unless(all(isinstance(value, str) for value in told.values()), where, f"KEDA takes texts only: {told}")
        address = f"temporal://{told.get('endpoint')}/{told.get('namespace', 'default')}"
        self.unless(variables(worker).get("COMPERE_ENGINE") == address, where, f"asks {address}, workers {variables(worker).get('COMPERE_ENGINE')}")
        queues = self.program.taken_up(pod(worker)["args"])
        self.unless({told.get("taskQueue")} == queues, where, f"counts in {told.get('taskQueue')}, workers take up {sorted(queues)}")
        # Films are activities; those who wait there are what `DescribeTaskQueue` counts.
        self.unless(told.get("queueTypes") == "activity", where, f"queueTypes is {told.get('queueTypes')}")
        self.unless(told.get("targetQueueSize") == str(wanted["waiting"]), where, f"targetQueueSize is {told.get('targetQueueSize')!r}")

    def doors(self):
        """A service with these settings begins, and has the doors that Kubernetes knocks at."""
        for made in self.of("Deployment"):
            paths = [probe["path"] for probe in probes(pod(made))]
            if not paths:
                continue
            # Records, files and the engine are elsewhere: here they are this machine's own.
            elsewhere = {"COMPERE_ENGINE", "COMPERE_OBJECTS", "COMPERE_DATABASE", "COMPERE_DATA", "COMPERE_LISTEN"}
            given = {name: value for name, value in variables(made).items() if name not in elsewhere}
            answers = self.program.serves(given | {"COMPERE_ASSETS": self.assets}, paths)
            if self.unless(isinstance(answers, dict), called(made), f"a service with its settings does not begin: {answers}"):
                for path, status in answers.items():
                    self.unless(status == 200, f"{called(made)} probes", f"{path} answers {status}")


def called(document):
    return f"{document['kind']} {document['metadata']['name']}"


def pod(made):
    (container,) = made["spec"]["template"]["spec"]["containers"]
    return container


def variables(made):
    return {entry["name"]: entry.get("value") for entry in pod(made)["env"]}


def probes(container):
    return [probe["httpGet"] for name, probe in container.items() if re.fullmatch(r"\w+Probe", name) and "httpGet" in probe]


def selects(selector, labels):
    return selector.items() <= labels.items()


def within(path, folder):
    return pathlib.PurePosixPath(folder) in [pathlib.PurePosixPath(path), *pathlib.PurePosixPath(path).parents]


if __name__ == "__main__":
    main()
