"""Drives redis.lock.Lock of redis-py 7: ../PROTOCOL.md; with the word `asyncio` redis.asyncio's."""

import sys

import redis
import redis.asyncio

from redis_py_lock import serve_lock

serve_lock("redis-py", redis, redis.asyncio.Redis if "asyncio" in sys.argv else redis.Redis)
