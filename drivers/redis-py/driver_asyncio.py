"""Drives redis.asyncio.lock.Lock of redis-py: ../PROTOCOL.md."""

import redis.asyncio
from redis import __version__
from redis.driver_info import DriverInfo
from redis.exceptions import LockError, ResponseError

from protocol import Driver, address, serve

INFO = DriverInfo()


class RedisPyAsyncio(Driver):
    traits = dict(library="redis-py asyncio", version=__version__, waits=True, extends=True)
    client = None

    async def connected(self, connection):
        self.connections += 1
        await connection.on_connect()

    async def open(self, asked):
        host, port = address(asked["nodes"][0])
        self.client = redis.asyncio.Redis(host=host, port=port, driver_info=INFO,
                                          redis_connect_func=self.connected,
                                          **asked.get("client", {}))
        self.lock = self.client.lock(asked["key"], timeout=asked["ttl_ms"] / 1000 or None,
                                     **asked.get("lib", {}))

    async def acquire(self, wait):
        if not await self.lock.acquire(blocking=wait > 0, blocking_timeout=wait or None):
            return False
        return {"granted": True, "token": self.lock.local.token.decode()}

    async def extend(self):
        return await self.lock.reacquire()

    async def release(self):
        await self.lock.release()
        return True

    async def close(self):
        if self.client:
            await self.client.aclose()

    def refuses(self, error):  # it is not, or no longer, this one's
        return isinstance(error, LockError)

    def definite(self, error):
        return isinstance(error, ResponseError)


serve(RedisPyAsyncio())
