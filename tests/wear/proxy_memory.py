#!/usr/bin/env python3
"""Loads the fault proxy for some minutes, with one client that polls as fast as it can, and
looks at the memory that the proxy has.

    proxy_memory.py LOCKLAB [SECONDS]
"""

import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

WARM = 0.2
"""Share of the time after which the proxy should have all that it needs."""
MOST_MORE = 16_000
"""KiB that it may have more at the end: memory that the allocator keeps."""
CLIENTS = 50


def resident(pid):
    """KiB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1])


def poll(port, over, counts):
    """Sends GETs in packs, and reads all answers."""
    with socket.create_connection(("127.0.0.1", port)) as link:
        pack, answers = 64, 0
        while not over.is_set():
            link.sendall(b"*2\r\n$3\r\nGET\r\n$4\r\nnone\r\n" * pack)
            left = 5 * pack  # "$-1\r\n" each
            while left > 0:
                left -= len(link.recv(min(left, 65536)))
            answers += pack
        counts.append(answers)


def main(program, seconds=300):
    folder = Path(tempfile.mkdtemp(prefix="wear-"))
    path = folder / "redis.sock"
    redis = subprocess.Popen(
        ["redis-server", "--port", "0", "--unixsocket", str(path), "--save", ""],
        stdout=subprocess.DEVNULL, cwd=folder)
    while not path.exists():
        time.sleep(0.05)
    (folder / "rules.yaml").write_text(f"links: [{{client: A, node: n0, to: {path}}}]\n",
                                       encoding="utf-8")
    proxy = subprocess.Popen([str(Path(program).resolve()), "proxy", "rules.yaml"], cwd=folder,
                             stdout=subprocess.PIPE, text=True)
    port = int(proxy.stdout.readline().rsplit(":", 1)[1])
    over, counts = threading.Event(), []
    poller = threading.Thread(target=poll, args=(port, over, counts))
    poller.start()
    load = subprocess.Popen(["redis-benchmark", "-p", str(port), "-c", str(CLIENTS), "-l", "-q",
                             "-t", "set"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    began, had, most = time.monotonic(), None, 0
    while (passed := time.monotonic() - began) < seconds:
        time.sleep(1)
        now = resident(proxy.pid)
        if had is None and passed > WARM * seconds:
            had = now
        most = max(most, now)
        print(f"{passed:.0f} s of {seconds}: {now} KiB", file=sys.stderr)
    end = resident(proxy.pid)
    load.kill()
    over.set()
    poller.join()
    for process in (proxy, redis):
        process.terminate()
        process.wait()
    more = end - (had or end)
    print(f"{seconds} s, {counts[0]:,} polls: {had} KiB after {WARM:.0%} of the time, {end} KiB at"
          f" the end, {most} KiB at most")
    if more > MOST_MORE:
        print(f"its memory grew by {more} KiB; right would be at most {MOST_MORE}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
