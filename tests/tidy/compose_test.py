#!/usr/bin/env python3
"""docker-compose.yml keeps what the README promises of it: pinned images, health checks, three
groups of servers on the ports that are written there. No Docker is needed to see that."""

import collections
import re
import unittest

import yaml

from source import TOP

COMPOSE = (TOP / "docker-compose.yml").read_text(encoding="utf-8")
README = (TOP / "README.md").read_text(encoding="utf-8")
GROUPS = {"one masters": 1, "sentinel masters": 1, "sentinel replicas": 1, "sentinel sentinels": 3,
          "five masters": 5}
FOLLOWS = re.compile(r"(?:--replicaof|sentinel monitor \w+) ([\w-]+) 6379( \d+)?")


def check_service(name, service, services):
    image = service.get("image", "")
    if not re.fullmatch(r"redis:\d+\.\d+\.\d+-[a-z]+", image):
        yield f"{name} has no pinned image: {image}"
    if not {"test", "interval"} <= service.get("healthcheck", {}).keys():
        yield f"{name} has no health check"
    for target, need in service.get("depends_on", {}).items():
        if target not in services:
            yield f"{name} depends on no service: {target}"
        if need.get("condition") != "service_healthy":
            yield f"{name} does not wait until {target} is healthy"
    command = " ".join(map(str, service["command"]))
    watched = FOLLOWS.search(command)
    if watched and watched[1] not in services:
        yield f"{name} follows no service: {watched[1]}"
    if watched and watched[2]:
        if watched[2] != " 2":
            yield f"{name} has a quorum of{watched[2]}"
        return
    if "--maxmemory-policy noeviction" not in command:
        yield f"{name} may evict locks"
    if "--appendonly " not in command + " ":
        yield f"{name} does not say whether it appends to a file"


def check_ports(services):
    """127.0.0.1:PORT:6379, each of its own, and those of the README."""
    ports = set()
    for name, service in services.items():
        published = " ".join(service.get("ports", []))
        match = re.fullmatch(r"127\.0\.0\.1:(\d+):(6379|26379)", published)
        if not match:
            yield f"{name} does not publish one port on 127.0.0.1: {published}"
            continue
        if match[1] in ports:
            yield f"{name} shares port {match[1]}"
        if match[1] == match[2]:
            yield f"{name} takes the port of another Redis"
        ports.add(match[1])
    promised = set(re.findall(r"127\.0\.0\.1:(\d+)", README))
    yield from (f"port {port} is not in the README" for port in ports - promised)
    yield from (f"port {port} of the README is not published" for port in promised - ports)


def group_of(service):
    command = " ".join(map(str, service["command"]))
    kind = ("sentinels" if "sentinel monitor" in command
            else "replicas" if "--replicaof" in command else "masters")
    return " ".join([*service.get("profiles", []), kind])


def check(text):
    services = yaml.safe_load(text)["services"]
    for name, service in services.items():
        yield from check_service(name, service, services)
    yield from check_ports(services)
    counts = collections.Counter(map(group_of, services.values()))
    yield from (f"there are {counts[group]} {group}" for group in {**GROUPS, **counts}
                if counts[group] != GROUPS.get(group, 0))


class Compose(unittest.TestCase):
    def test_keeps_its_promises(self):
        self.assertEqual(list(check(COMPOSE)), [])

    def test_breaks_are_noticed(self):
        for old, new, complaint in (
                ("image: redis:7.4.2-bookworm\n  #", "image: redis:latest\n  #", "no pinned image"),
                ("image: redis:7.4.2-bookworm\n  profiles", "image: redis:7.4\n  profiles",
                 "no pinned"),
                ("  healthcheck: &healthcheck\n", "  health: &healthcheck\n",
                 "one has no health check"),
                ("127.0.0.1:6402:", "127.0.0.1:6401:", "five-2 shares port 6401"),
                ("127.0.0.1:6402:", "127.0.0.1:6379:", "takes the port of another"),
                ("127.0.0.1:6402:", "127.0.0.1:7402:", "port 7402 is not in the README"),
                ("127.0.0.1:6402:", "127.0.0.1:7402:", "port 6402 of the README"),
                ("127.0.0.1:6390:", "6390:", "on 127.0.0.1"),
                ("locklab master 6379 2", "locklab master 6379 1", "quorum of 1"),
                ("locklab master 6379 2", "locklab chief 6379 2", "follows no service: chief"),
                ("- master 6379", "- chief 6379", "replica follows no service: chief"),
                ("replica: {condition: service_healthy}", "replica: {condition: service_started}",
                 "does not wait until replica is healthy"),
                ("    profiles: [five]\n    ports: [\"127.0.0.1:6405",
                 "    profiles: [one]\n    ports: [\"127.0.0.1:6405", "there are 4 five masters"),
                ("- noeviction", "- allkeys-lru", "may evict"),
                ("- --appendonly\n", "- --appenddirname\n", "appends to a file")):
            with self.subTest(old=old, new=new):
                self.assertIn(old, COMPOSE)
                self.assertIn(complaint, "\n".join(check(COMPOSE.replace(old, new, 1))))


if __name__ == "__main__":
    unittest.main()
