"""Drives redis.lock.Lock of redis-py: ../PROTOCOL.md."""

import json
import sys
import time

import redis
from redis.driver_info import DriverInfo
from redis.exceptions import LockError, ResponseError

TRAITS = dict(library="redis-py", version=redis.__version__, nodes="one", waits=True,
              renews=False, extends=True, tells=False, fences=False)
# What it tells servers of itself unless told otherwise, read from its package once for all clients.
INFO = DriverInfo()


class Driver:
    connections = 0  # opened so far: redis-py sends a command again on a new one

    def connected(self, connection):
        self.connections += 1
        connection.on_connect()

    def hello(self, asked):
        return TRAITS

    def open(self, asked):
        host, port = asked["nodes"][0].rsplit(":", 1)
        client = redis.Redis(host=host, port=int(port), redis_connect_func=self.connected,
                             driver_info=INFO, **asked.get("client", {}))
        self.lock = client.lock(asked["key"], timeout=asked["ttl_ms"] / 1000 or None,
                                **asked.get("lib", {}))

    def acquire(self, asked):
        wait = asked["wait_ms"] / 1000
        if not self.lock.acquire(blocking=wait > 0, blocking_timeout=wait or None):
            return {"granted": False}
        return {"granted": True, "token": self.lock.local.token.decode()}

    def step(self, asked):
        return {"ok": True, "lost": False}

    def extend(self, asked):
        try:
            return {"extended": self.lock.reacquire()}
        except LockError:  # it is not, or no longer, this one's
            return {"extended": False}

    def release(self, asked):
        try:
            self.lock.release()
            return {"released": True}
        except LockError:
            return {"released": False}

    def close(self, asked):
        pass

    exit = close

    def answer(self, asked):
        before = self.connections
        try:
            return getattr(self, asked["op"])(asked) or {}
        except Exception as error:  # the server's own refusal of what was sent once is definite
            return {"error": f"{type(error).__name__}: {error}",
                    "definite": isinstance(error, ResponseError) and self.connections == before}


def us():
    return time.monotonic_ns() // 1000


driver = Driver()
for line in sys.stdin:
    asked, called = json.loads(line), us()
    said = driver.answer(asked)
    print(json.dumps({"id": asked["id"], "called_us": called, "answered_us": us(), **said}),
          flush=True)
    if asked["op"] == "exit":
        break
