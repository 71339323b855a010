// A library that is a few lines of Python, which speak the protocol of drivers.
#pragma once

#include <string>

#include "harness/foreign/library.h"

namespace locklab {

/// A driver whose lock is what these lines do, each indented by eight blanks: they set `said`, ask
/// the server by `tell(word, ...)`, and know `key` and `ttl` (ms, as text).
inline std::string python_driver(const std::string& acquire, const std::string& release) {
    return R"(
import json, socket, sys
for line in sys.stdin:
    a = json.loads(line)
    def tell(*words):
        link.sendall(b"".join([b"*%d\r\n" % len(words)] +
                              [b"$%d\r\n%s\r\n" % (len(w), w.encode()) for w in words]))
        return link.recv(100)
    said = {}
    if a["op"] == "hello":
        said = {"library": "odd", "version": "1", "nodes": "one"}
        said |= {key: False for key in ("waits", "renews", "extends", "tells", "fences")}
    if a["op"] == "open":
        host, port = a["nodes"][0].rsplit(":", 1)
        link, key, ttl = socket.create_connection((host, int(port))), a["key"], str(a["ttl_ms"])
    if a["op"] == "acquire":
)" + acquire +
           R"(
    if a["op"] == "step":
        said = {"ok": True, "lost": False}
    if a["op"] == "release":
)" + release +
           R"(
    if a["op"] == "exit":
        break
    print(json.dumps({"id": a["id"], "called_us": 0, "answered_us": 0, **said}), flush=True)
)";
}

/// It says of itself that it is "odd", version 1.
inline Library python_library(const std::string& lines) {
    Library library;
    library.name = library.library = "odd";
    library.version = "1";
    library.installed = "/";
    library.run = {"/usr/bin/python3", "-c", lines};
    return library;
}

}  // namespace locklab
