"""Drives portalocker.RedisLock: ../PROTOCOL.md. It has no TTL: a holder is one that is subscribed,
and is given up by others if it does not answer them for unavailable_timeout, here the TTL. With the
word `fencing` each grant has a fencing token."""

import importlib.metadata
import sys

import portalocker
from portalocker.exceptions import AlreadyLocked
from redis.exceptions import ResponseError

from protocol import Driver, address, serve

FENCING = "fencing" in sys.argv


class Portalocker(Driver):
    traits = dict(library="portalocker", version=importlib.metadata.version("portalocker"),
                  waits=True, tells=True, fences=FENCING)
    lock = None

    def open(self, asked):
        self.asked = asked

    def acquire(self, wait):
        host, port = address(self.asked["nodes"][0])
        self.lock = portalocker.RedisLock(
            self.asked["key"], redis_kwargs=dict(host=host, port=port, **self.asked["client"]),
            unavailable_timeout=self.asked["ttl_ms"] / 1000, fencing=FENCING,
            on_lost=self.on_lost(self.teller()), interrupt_on_lost=False, **self.asked["lib"])
        self.lock.acquire(timeout=wait, fail_when_locked=not wait)
        fence = {"fence": self.lock.fence_token} if FENCING else {}
        return {"granted": True, **fence}

    @staticmethod
    def on_lost(tell):
        return lambda lock: tell("on_lost")

    def release(self):
        self.lock.release()

    def refuses(self, error):
        return isinstance(error, AlreadyLocked)

    def definite(self, error):
        return isinstance(error, ResponseError)

    def close(self):
        if self.lock:
            self.lock.release()


serve(Portalocker())
