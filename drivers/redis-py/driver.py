"""Drives redis.lock.Lock of redis-py: ../PROTOCOL.md."""

import redis
from redis.driver_info import DriverInfo
from redis.exceptions import LockError, ResponseError

from protocol import Driver, address, serve

# What it tells servers of itself unless told otherwise, read from its package once for all clients.
INFO = DriverInfo()


class RedisPy(Driver):
    traits = dict(library="redis-py", version=redis.__version__, waits=True, extends=True)

    def connected(self, connection):
        self.connections += 1
        connection.on_connect()

    def open(self, asked):
        host, port = address(asked["nodes"][0])
        client = redis.Redis(host=host, port=port, redis_connect_func=self.connected,
                             driver_info=INFO, **asked.get("client", {}))
        self.lock = client.lock(asked["key"], timeout=asked["ttl_ms"] / 1000 or None,
                                **asked.get("lib", {}))

    def acquire(self, wait):
        if not self.lock.acquire(blocking=wait > 0, blocking_timeout=wait or None):
            return False
        return {"granted": True, "token": self.lock.local.token.decode()}

    def extend(self):
        return self.lock.reacquire()

    def release(self):
        self.lock.release()
        return True

    def refuses(self, error):  # it is not, or no longer, this one's
        return isinstance(error, LockError)

    def definite(self, error):
        return isinstance(error, ResponseError)


serve(RedisPy())
