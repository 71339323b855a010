"""Drives redis_lock.Lock of python-redis-lock: ../PROTOCOL.md, one for each try, as its `with` has
it. With the word `auto-renewal` a thread of it renews, where it is to. It knows whole seconds."""

import sys

import redis
import redis_lock
from redis.driver_info import DriverInfo
from redis.exceptions import ResponseError

from protocol import Driver, address, serve

RENEWS = "auto-renewal" in sys.argv
# What redis-py tells servers of itself, read from its package once for all clients.
INFO = DriverInfo()


class PythonRedisLock(Driver):
    traits = dict(library="python-redis-lock", version=redis_lock.__version__, waits=True,
                  renews=RENEWS, extends=True)
    client = lock = None

    def connected(self, connection):
        self.connections += 1
        connection.on_connect()

    def open(self, asked):
        host, port = address(asked["nodes"][0])
        self.client = redis.StrictRedis(host=host, port=port, redis_connect_func=self.connected,
                                        driver_info=INFO, **asked["client"])
        self.options = dict(name=asked["key"], expire=asked["ttl_ms"] // 1000 or None,
                            auto_renewal=RENEWS and asked["renew"], **asked["lib"])

    def acquire(self, wait):
        self.lock = redis_lock.Lock(self.client, **self.options)
        if not wait:
            return self.granted(self.lock.acquire(blocking=False))
        # It takes no longer time than its TTL where it does not renew.
        longest = None if self.options["auto_renewal"] else self.options["expire"]
        return self.granted(self.lock.acquire(timeout=min(max(1, int(wait)), longest or wait)))

    def granted(self, yes):
        return {"granted": True, "token": self.lock.id} if yes else False

    def extend(self):
        self.lock.extend()
        return True

    def release(self):
        self.lock.release()
        return True

    def refuses(self, error):  # it is not, or no longer, this one's
        return isinstance(error, redis_lock.NotAcquired)

    def definite(self, error):
        return isinstance(error, ResponseError)

    def close(self):
        if self.client:
            self.client.close()


serve(PythonRedisLock())
