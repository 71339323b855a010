"""Drives pottery.Redlock: ../PROTOCOL.md; with the word `asyncio` AIORedlock. raise_on_redis_errors
is on, without which a try that failed looks like a refusal."""

import importlib.metadata
import sys

import redis.asyncio
from pottery import AIORedlock, ExtendUnlockedLock, Redlock, ReleaseUnlockedLock
from redis.driver_info import DriverInfo

from protocol import Driver, address, serve

INFO = DriverInfo()  # what redis-py tells servers of itself, read from its package once


class Pottery(Driver):
    traits = dict(library="pottery", version=importlib.metadata.version("pottery"), nodes="many",
                  waits=True, extends=True)
    make, client = Redlock, redis.Redis

    def open(self, asked):
        masters = [self.client(host=host, port=port, driver_info=INFO, **asked["client"])
                   for host, port in map(address, asked["nodes"])]
        self.lock = self.make(key=asked["key"], masters=masters, raise_on_redis_errors=True,
                              auto_release_time=asked["ttl_ms"] / 1000, **asked["lib"])

    def acquire(self, wait):
        return self.lock.acquire(blocking=wait > 0, timeout=wait or -1)

    def extend(self):
        self.lock.extend()
        return True

    def release(self):
        self.lock.release()
        return True

    def refuses(self, error):  # a quorum has it not, or no longer
        unheld = isinstance(error, (ExtendUnlockedLock, ReleaseUnlockedLock))
        return unheld and not error.redis_errors


class PotteryAsyncio(Pottery):
    make, client = AIORedlock, redis.asyncio.Redis

    async def acquire(self, wait):
        return await self.lock.acquire(blocking=wait > 0, timeout=wait or -1)

    async def extend(self):
        await self.lock.extend()
        return True

    async def release(self):
        await self.lock.release()
        return True


serve(PotteryAsyncio() if "asyncio" in sys.argv else Pottery())
