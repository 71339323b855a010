"""The driver of redis-py's Lock, in its releases and in what was made of it:
`serve_lock(name, package, Client)`, with `redis` and `redis.Redis`, or that of redis.asyncio."""

import inspect

from protocol import Driver, address, serve


class RedisPyLock(Driver):
    client = None

    def __init__(self, name, package, make):
        self.traits = dict(library=name, version=package.__version__, waits=True, extends=True)
        self.package, self.make = package, make

    def open(self, asked):
        host, port = address(asked["nodes"][0])
        on_connect = {f"{self.package.__name__}_connect_func": self.connected}
        self.client = self.make(host=host, port=port, **on_connect, **asked.get("client", {}))
        self.lock = self.client.lock(asked["key"], timeout=asked["ttl_ms"] / 1000 or None,
                                     **asked.get("lib", {}))

    def connected(self, connection):
        self.connections += 1
        return connection.on_connect()

    def granted(self, yes):
        return {"granted": True, "token": self.lock.local.token.decode()} if yes else False

    def acquire(self, wait):
        return self.granted(self.lock.acquire(blocking=wait > 0, blocking_timeout=wait or None))

    def extend(self):
        return self.lock.reacquire()

    def release(self):
        self.lock.release()
        return True

    def refuses(self, error):  # it is not, or no longer, this one's
        return isinstance(error, self.package.exceptions.LockError)

    def definite(self, error):
        return isinstance(error, self.package.exceptions.ResponseError)


class RedisPyAsyncioLock(RedisPyLock):
    async def connected(self, connection):
        self.connections += 1
        await connection.on_connect()

    async def acquire(self, wait):
        return self.granted(
            await self.lock.acquire(blocking=wait > 0, blocking_timeout=wait or None))

    async def release(self):
        await self.lock.release()
        return True

    async def close(self):
        if self.client:
            await self.client.aclose()


def serve_lock(name, package, make):
    in_loop = inspect.iscoroutinefunction(make.execute_command)
    serve((RedisPyAsyncioLock if in_loop else RedisPyLock)(name, package, make))
