"""A correct lock with a lease that a thread renews, on a connection of its own."""

import json
import os
import socket
import sys
import threading
import time

RELEASE = "if redis.call('GET',KEYS[1])==ARGV[1] then return redis.call('DEL',KEYS[1]) end return 0"
RENEW = ("if redis.call('GET',KEYS[1])==ARGV[1] then "
         "return redis.call('PEXPIRE',KEYS[1],ARGV[2]) end return 0")
TRAITS = dict(library="odd", version="1", nodes="one", waits=False, renews=True, extends=False,
              tells=True, fences=False)


class Connection:
    def __init__(self, node, timeout):
        host, port = node.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout)
        self.file = self.socket.makefile("rb")

    def command(self, *words):
        words = [str(word).encode() for word in words]
        self.socket.sendall(b"*%d\r\n" % len(words)
                            + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words))
        line = self.file.readline().strip()
        if not line:
            raise OSError("the connection was ended")
        return line

    def close(self):
        self.file.close()
        self.socket.close()


class Driver:
    def __init__(self):
        self.printing = threading.Lock()
        self.renewal = None

    def say(self, line):
        with self.printing:
            print(json.dumps(line), flush=True)

    def hello(self, asked):
        return TRAITS

    def open(self, asked):
        self.node, self.key, self.ttl = asked["nodes"][0], asked["key"], asked["ttl_ms"]
        self.timeout = self.ttl / 5000

    def acquire(self, asked):
        self.token = os.urandom(8).hex()
        connection = Connection(self.node, self.timeout)
        try:
            granted = connection.command("SET", self.key, self.token, "NX", "PX",
                                         self.ttl) == b"+OK"
        finally:
            connection.close()
        if not granted:
            return {"granted": False}
        self.lost, self.over = threading.Event(), threading.Event()
        self.renewal = threading.Thread(target=self.renew, args=(self.lost, self.over, self.token))
        self.renewal.start()
        return {"granted": True, "token": self.token}

    def renew(self, lost, over, token):
        connection = None
        while not over.wait(self.ttl / 3000):
            try:
                connection = connection or Connection(self.node, self.timeout)
                if connection.command("EVAL", RENEW, 1, self.key, token, self.ttl) == b":1":
                    continue
            except OSError:
                pass
            lost.set()
            self.say({"ev": "lost"})
            break
        if connection:
            connection.close()

    def step(self, asked):
        return {"ok": True, "lost": self.lost.is_set()}

    def release(self, asked):
        self.over.set()
        self.renewal.join()
        connection = Connection(self.node, self.timeout)
        try:
            return {"released": connection.command("EVAL", RELEASE, 1, self.key,
                                                   self.token) == b":1"}
        finally:
            connection.close()

    def close(self, asked):
        if self.renewal:
            self.over.set()
            self.renewal.join()

    exit = close


def us():
    return time.monotonic_ns() // 1000


driver = Driver()
for line in sys.stdin:
    asked, called = json.loads(line), us()
    try:
        said = getattr(driver, asked["op"])(asked) or {}
    except OSError as error:
        said = {"error": f"{type(error).__name__}: {error}", "definite": False}
    driver.say({"id": asked["id"], "called_us": called, "answered_us": us(), **said})
    if asked["op"] == "exit":
        break
