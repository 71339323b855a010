"""The loop of PROTOCOL.md for drivers in Python: `serve(driver)`, of a class made of Driver."""

import asyncio
import inspect
import json
import sys
import threading
import time

RESULTS = {"acquire": "granted", "extend": "extended", "release": "released"}
_lock = threading.Lock()


def us():
    return time.monotonic_ns() // 1000


def say(line):
    with _lock:
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


def address(node):
    host, port = node.rsplit(":", 1)
    return host, int(port)


class Driver:
    """What is not answered here is a driver's own: open(asked), acquire(wait), in seconds, and
    release(). They may be coroutines: then all of them run in one event loop, and `cancel` cancels
    the task of a try."""

    traits = {}  # what `hello` says; what is left out is one server, and False
    connections = 0  # opened so far: clients send again on a new one what was not answered
    lost = False
    _try = 0  # the number of the latest

    def acquire(self, wait):
        """True or False, or a dictionary with `granted`, `token`, `fence`."""
        raise NotImplementedError

    def release(self):
        """True, False, or None where the library tells nothing."""
        raise NotImplementedError

    def extend(self):
        raise RuntimeError("it cannot be told to extend")

    def valid_ms(self):
        """How long the grant is still valid by the library's word, below 0 if it is over; None
        where it does not tell."""
        return None

    def refuses(self, error):
        """Whether what was raised is a refusal, which is no error."""
        return False

    def definite(self, error):
        """Whether nothing can have happened at the server, had it been sent only once."""
        return False

    def close(self):
        pass

    def teller(self):
        """For a library that calls when a lock is lost: a function that tells so of this try."""
        mine = self._try

        def tell(what=None):
            if self._try == mine and not self.lost:
                self.lost = True
                say({"ev": "lost", "what": str(what)})

        return tell


async def _result(value):
    return await value if inspect.isawaitable(value) else value


async def _call(driver, asked):
    op = asked["op"]
    if op == "hello":
        traits = dict.fromkeys(("waits", "renews", "extends", "tells", "fences"), False)
        return {"nodes": "one", **traits, **driver.traits}
    if op == "step":
        return {"ok": True, "lost": driver.lost, "valid_ms": driver.valid_ms()}
    if op == "open":
        driver._try += 1
        await _result(driver.close())
        await _result(driver.open(asked))
        return {}
    if op == "acquire":
        driver._try += 1
        driver.lost = False
        got = await _result(driver.acquire(asked["wait_ms"] / 1000))
        said = got if isinstance(got, dict) else {"granted": bool(got)}
        return {**said, "valid_ms": driver.valid_ms()} if said["granted"] else said
    if op == "extend":
        return {"extended": await _result(driver.extend()), "valid_ms": driver.valid_ms()}
    if op == "release":
        return {"released": await _result(driver.release())}
    await _result(driver.close())
    return {}


async def _answer(driver, asked):
    before = driver.connections
    try:
        return await _call(driver, asked)
    except asyncio.CancelledError:
        return {"error": "cancelled", "definite": False}
    except Exception as error:
        if asked["op"] in RESULTS and driver.refuses(error):
            return {RESULTS[asked["op"]]: False}
        return {"error": f"{type(error).__name__}: {error}"[:1000],
                "definite": driver.definite(error) and driver.connections == before}


async def _turn(driver, asked):
    called = us()
    said = await _answer(driver, asked)
    say({"id": asked["id"], "called_us": called, "answered_us": us(), **said})
    return asked["op"] != "exit"


async def _serve_in_loop(driver):
    lines = asyncio.StreamReader(limit=1_000_000)
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    turn, number = None, None
    while line := await lines.readline():
        asked = json.loads(line)
        if asked["op"] == "cancel":
            if asked["id"] == number and not turn.done():
                turn.cancel()
            continue
        if turn:
            await turn
        turn, number = asyncio.create_task(_turn(driver, asked)), asked["id"]
        await asyncio.sleep(0)  # what is cancelled before it begins would say nothing
        if asked["op"] == "exit":
            break
    if turn:
        await turn


def _at_once(turn):
    """Runs a coroutine that never waits, without an event loop."""
    try:
        turn.send(None)
    except StopIteration as end:
        return end.value
    raise RuntimeError("a driver that waits for coroutines has to have a coroutine `acquire`")


def serve(driver):
    if inspect.iscoroutinefunction(driver.acquire):
        asyncio.run(_serve_in_loop(driver))
        return
    for line in sys.stdin:
        if not _at_once(_turn(driver, json.loads(line))):
            break
