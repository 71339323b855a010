"""Drives @NAME@: ../PROTOCOL.md. Put your lock's calls in place of these, which are SET NX PX."""

import secrets

import redis

from protocol import Driver, address, serve

DELETE = "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) end return 0"


class Lock(Driver):
    traits = dict(library="@NAME@", version="1")

    def open(self, asked):
        host, port = address(asked["nodes"][0])
        self.redis = redis.Redis(host=host, port=port)
        self.key, self.ttl_ms = asked["key"], asked["ttl_ms"]

    def acquire(self, wait):
        self.token = secrets.token_hex(8)
        return self.redis.set(self.key, self.token, nx=True, px=self.ttl_ms)

    def release(self):
        return self.redis.eval(DELETE, 1, self.key, self.token) == 1


serve(Lock())
