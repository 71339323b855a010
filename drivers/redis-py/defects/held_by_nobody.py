"""redis-py 8.1.0: acquire() says False and leaves the lock taken, for all of its timeout. A reply
that does not come in socket_timeout is taken for a failure, and SET NX is sent again, with the same
token; the first was carried out, so the second is refused. Nobody holds the lock, and nobody gets
it. Here the server stands still for 1.5 s.
Tracker: not reported as far as was searched.
Run in the installed folder: venv/bin/python defects/held_by_nobody.py"""

import os
import signal
import subprocess
import sys
import threading
import time

import redis

PORT = 7851
server = subprocess.Popen(["redis-server", "--port", str(PORT), "--save", ""],
                          stdout=subprocess.DEVNULL)
time.sleep(0.5)
client = redis.Redis(port=PORT, socket_timeout=1)
client.ping()
lock = client.lock("the lock", timeout=30)
os.kill(server.pid, signal.SIGSTOP)
threading.Timer(1.5, os.kill, (server.pid, signal.SIGCONT)).start()
granted = lock.acquire(blocking=False)
value, left = client.get("the lock"), client.pttl("the lock")
print(f"acquire() on a free lock: {granted}; the key is there: {value is not None}, "
      f"for {round(left / 1000)} s more")
again = client.lock("the lock", timeout=30).acquire(blocking=False)
print(f"another try: {again}")
server.kill()
defect = not granted and value is not None
print("DEFECT" if defect else "as it should be")
sys.exit(1 if defect else 0)
