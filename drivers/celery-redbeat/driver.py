"""Drives RedBeatScheduler of celery-redbeat, whose lock keeps one `celery beat` alone at work:
../PROTOCOL.md. To extend is its tick(), and to release its close(). It waits for its lock for ever:
here it gives up after wait_ms."""

import importlib.metadata
from types import SimpleNamespace

import redis
from celery import Celery
from redbeat.schedulers import RedBeatScheduler, acquire_distributed_beat_lock
from redis.driver_info import DriverInfo
from redis.exceptions import LockError, ResponseError

from protocol import Driver, address, serve

INFO = DriverInfo()  # what redis-py tells servers of itself, read from its package once


class CeleryRedbeat(Driver):
    traits = dict(library="celery-redbeat", version=importlib.metadata.version("celery-redbeat"),
                  waits=True, extends=True)
    scheduler = None

    def connected(self, connection):
        self.connections += 1
        connection.on_connect()

    def open(self, asked):
        host, port = address(asked["nodes"][0])
        self.app = Celery(broker="memory://", set_as_current=False)
        self.app.conf.update(redbeat_redis_url=f"redis://{host}:{port}", result_expires=None,
                             redbeat_lock_key=asked["key"],
                             redbeat_lock_timeout=asked["ttl_ms"] // 1000,
                             beat_max_loop_interval=asked["ttl_ms"] / 5000)
        self.client = self.app.redbeat_redis = redis.Redis(
            host=host, port=port, decode_responses=True, redis_connect_func=self.connected,
            driver_info=INFO, **asked["client"])

    def acquire(self, wait):
        self.scheduler = RedBeatScheduler(self.app)
        lock = redis.Redis.lock
        self.client.lock = lambda name, **options: lock(
            self.client, name, blocking=wait > 0, blocking_timeout=wait or None, **options)
        acquire_distributed_beat_lock(SimpleNamespace(scheduler=self.scheduler))
        token = self.scheduler.lock.local.token
        return {"granted": True, "token": token.decode()} if token else False

    def extend(self):
        self.scheduler.tick()
        return True

    def release(self):
        self.scheduler.close()

    def refuses(self, error):  # it is not, or no longer, this one's
        return isinstance(error, LockError)

    def definite(self, error):
        return isinstance(error, ResponseError)


serve(CeleryRedbeat())
