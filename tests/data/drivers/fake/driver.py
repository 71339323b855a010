"""A lock library in one file: SET NX PX, and scripts that compare the token, over a socket."""

import json
import secrets
import socket
import sys
import time

DELETE = "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) end return 0"
EXTEND = ("if redis.call('get',KEYS[1])==ARGV[1] then "
          "return redis.call('pexpire',KEYS[1],ARGV[2]) end return 0")


class Refused(Exception):
    """The server's own error: nothing has happened."""


class Lock:
    def __init__(self, node, key, ttl_ms):
        host, port = node.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=2)
        self.replies = self.socket.makefile("rb")
        self.key, self.ttl_ms, self.token = key, ttl_ms, ""

    def command(self, *words):
        text = [str(word).encode() for word in words]
        self.socket.sendall(b"*%d\r\n" % len(text) +
                            b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in text))
        reply = self.replies.readline()
        if not reply.endswith(b"\r\n"):
            raise ConnectionError("the connection ended")
        if reply.startswith(b"-"):
            raise Refused(reply.decode().strip())
        return reply.strip()

    def acquire(self, asked):
        self.token = secrets.token_hex(8)
        if self.command("SET", self.key, self.token, "NX", "PX", self.ttl_ms) != b"+OK":
            return {"granted": False}
        return {"granted": True, "token": self.token}

    def step(self, asked):
        return {"ok": True, "lost": False}

    def extend(self, asked):
        words = ("EVAL", EXTEND, 1, self.key, self.token, self.ttl_ms)
        return {"extended": self.command(*words) == b":1"}

    def release(self, asked):
        return {"released": self.command("EVAL", DELETE, 1, self.key, self.token) == b":1"}


def answer(asked):
    global lock
    if asked["op"] == "hello":
        return dict(library="a fake", version="1", nodes="one", waits=False, renews=False,
                    extends=True, tells=False, fences=False)
    if asked["op"] == "open":
        lock = Lock(asked["nodes"][0], asked["key"], asked["ttl_ms"])
    elif asked["op"] not in ("close", "exit"):
        return getattr(lock, asked["op"])(asked)
    return {}


def us():
    return time.monotonic_ns() // 1000


lock = None
for line in sys.stdin:
    asked, called = json.loads(line), us()
    try:
        said = answer(asked)
    except (OSError, Refused) as error:
        said = {"error": f"{type(error).__name__}: {error}", "definite": isinstance(error, Refused)}
    print(json.dumps({"id": asked["id"], "called_us": called, "answered_us": us(), **said}),
          flush=True)
    if asked["op"] == "exit":
        break
