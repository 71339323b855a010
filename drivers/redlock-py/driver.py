"""Drives redlock.Redlock of redlock-py: ../PROTOCOL.md."""

import importlib.metadata
import math
import time

import redis
from redis.driver_info import DriverInfo
from redlock import Redlock

from protocol import Driver, address, serve

INFO = DriverInfo()  # what redis-py tells servers of itself, read from its package once


class NotingRedlock(Redlock):
    """Keeps what servers answered that was an error: a try that failed so looks refused."""

    def lock_instance(self, *args):
        try:
            return super().lock_instance(*args)
        except redis.RedisError as error:
            self.errors.append(error)
            raise


class RedlockPy(Driver):
    traits = dict(library="redlock-py", version=importlib.metadata.version("redlock-py"),
                  nodes="many", waits=True)
    lock = None

    def open(self, asked):
        self.key, self.ttl_ms = asked["key"], asked["ttl_ms"]
        servers = [redis.StrictRedis(host=host, port=port, driver_info=INFO, **asked["client"])
                   for host, port in map(address, asked["nodes"])]
        self.redlock = NotingRedlock(servers, **asked["lib"])

    def acquire(self, wait):
        self.redlock.errors = []
        self.redlock.retry_count = max(1, math.ceil(wait / self.redlock.retry_delay))
        self.lock = self.redlock.lock(self.key, self.ttl_ms)
        if not self.lock:
            if self.redlock.errors:
                raise self.redlock.errors[0]
            return False
        self.end = time.monotonic_ns() + self.lock.validity * 1_000_000
        return {"granted": True, "token": self.lock.key.decode()}

    def valid_ms(self):
        return (self.end - time.monotonic_ns()) // 1_000_000 if self.lock else None

    def release(self):
        self.redlock.unlock(self.lock)


serve(RedlockPy())
