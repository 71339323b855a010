// A library whose callers extend their grants by hand: a few lines of Python, whose extension is as
// honest as a test says.
#pragma once

#include <string>

#include "tests/foreign/python_library.h"

namespace locklab {

/// A lock that awaits a reply for 60 ms, and then opens another connection. `extend` sets `said`.
inline std::string extended_driver(const std::string& extend) {
    return R"py(
import json, os, socket, sys
def connect():
    global link
    link = socket.create_connection(server)
    link.settimeout(0.06)
def tell(*words):
    try:
        link.sendall(b"".join([b"*%d\r\n" % len(words)] +
                              [b"$%d\r\n%s\r\n" % (len(w), w.encode()) for w in words]))
        return link.recv(100)
    except OSError:
        link.close()
        connect()
        return b""
def mine(does):
    return tell("EVAL", "return redis.call('get', KEYS[1]) == ARGV[1] and " + does + " or 0", "1",
                key, token, ttl)
for line in sys.stdin:
    a, said = json.loads(line), {}
    if a["op"] == "hello":
        said = {"library": "odd", "version": "1", "nodes": "one", "extends": True}
        said |= {word: False for word in ("waits", "renews", "tells", "fences")}
    if a["op"] == "open":
        host, port = a["nodes"][0].rsplit(":", 1)
        server, key, ttl = (host, int(port)), a["key"], str(a["ttl_ms"])
        connect()
    if a["op"] == "acquire":
        token = os.urandom(4).hex()
        said = {"granted": tell("SET", key, token, "NX", "PX", ttl) == b"+OK\r\n"}
    if a["op"] == "step":
        said = {"ok": True, "lost": False}
    if a["op"] == "extend":
        got = mine("redis.call('pexpire', KEYS[1], ARGV[2])")
)py" + extend +
           R"py(
    if a["op"] == "release":
        got = mine("redis.call('del', KEYS[1])")
        said = {"released": {b":1\r\n": True, b":0\r\n": False}.get(got)}
    if a["op"] == "exit":
        break
    print(json.dumps({"id": a["id"], "called_us": 0, "answered_us": 0, **said}), flush=True)
)py";
}

/// What the server said, or that it said nothing.
inline const std::string kHonest =
    R"(        said = {"extended": got == b":1\r\n"} if got else {"error": "late", "definite": False})";
/// No answer is taken for a good one.
inline const std::string kHopeful = R"(        said = {"extended": got != b":0\r\n"})";
/// Whatever the server said.
inline const std::string kLiar = R"(        said = {"extended": True})";

inline Library by_hand(const std::string& extend) {
    Library library = python_library(extended_driver(extend));
    library.like = "watchdog_owned";
    library.extends = library.extended_by_hand = true;
    return library;
}

}  // namespace locklab
