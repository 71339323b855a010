"""Drives valkey.lock.Lock of valkey-py: ../PROTOCOL.md; with the word `asyncio` valkey.asyncio's."""

import sys

import valkey
import valkey.asyncio

from redis_py_lock import serve_lock

serve_lock("valkey-py", valkey, valkey.asyncio.Valkey if "asyncio" in sys.argv else valkey.Valkey)
