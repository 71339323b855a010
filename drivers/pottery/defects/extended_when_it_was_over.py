"""pottery 3.0.1: extend() returns, as where it has the lock, though its answer took longer than the
auto_release_time by which it extended. acquire() looks how long it took, and does not grant then.
Here the answer is held up for 1.5 s on its way, and another has the lock by then.
Tracker: not reported as far as was searched.
Run in the installed folder: venv/bin/python defects/extended_when_it_was_over.py"""

import socket, subprocess, sys, threading, time
import redis
from pottery import ExtendUnlockedLock, Redlock

server = subprocess.Popen(["redis-server", "--port", "7853", "--save", ""],
                          stdout=subprocess.DEVNULL)
time.sleep(0.5)
near, far, late = socket.create_server(("127.0.0.1", 7854)), ("127.0.0.1", 7853), 0

def carry(source, target, is_answer):
    while data := source.recv(4096):
        time.sleep(late if is_answer else 0)
        target.sendall(data)

def relay():
    while True:
        ends = near.accept()[0], socket.create_connection(far)
        for args in ((*ends, False), (*reversed(ends), True)):
            threading.Thread(target=carry, args=args, daemon=True).start()

threading.Thread(target=relay, daemon=True).start()
lock = Redlock(key="the lock", masters={redis.Redis(port=7854)}, auto_release_time=1)
other = Redlock(key="the lock", masters={redis.Redis(port=7853)}, auto_release_time=30)
print(f"acquire(): {lock.acquire(blocking=False)}")
lock.extend()  # from here on the server knows the script
late = 1.5
threading.Timer(1.3, lambda: print(f"another's acquire(): {other.acquire(blocking=False)}")).start()
try:
    defect = lock.extend() is None
except ExtendUnlockedLock:
    defect = False
server.kill()
print("extend() returns: DEFECT" if defect else "extend() fails: as it should be")
sys.exit(1 if defect else 0)
