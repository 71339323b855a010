// Drives redlock-universal with ioredis: ../PROTOCOL.md. The lock is held by using() where it is to
// renew; else, and with the word `acquire` always, by acquire(). With `redlock` it is that of
// createRedlock, on several servers.
const { IoredisAdapter, createLock, createRedlock } = require("redlock-universal");
const { connect, disconnect } = require("./ioredis_clients.js");
const { serve, teller, version } = require("./protocol.js");

const MANY = process.argv.includes("redlock");
const RENEWS = !process.argv.includes("acquire");
const EVERY_MS = MANY ? 200 : 100; // its own retryDelay
let clients = [];
let adapters, locks, opened, lock, handle, leave, left, errors;

/** Keeps what servers answered that was an error: createRedlock tells nobody. */
class NotingAdapter extends IoredisAdapter {
  setNX(...words) {
    return super.setNX(...words).catch((error) => {
      errors.push(error);
      throw error;
    });
  }
}

/** The lock object for so many tries, kept: its circuit breaker counts what failed. */
function locker(retryAttempts) {
  if (!locks.has(retryAttempts)) {
    const options = { key: opened.key, ttl: opened.ttl_ms, retryAttempts, ...opened.lib };
    locks.set(retryAttempts, MANY ? createRedlock({ adapters, ...options })
      : createLock({ adapter: adapters[0], ...options }));
  }
  return locks.get(retryAttempts);
}

/** Returns when using() has the lock; it gives the lock up when leave() is called. */
function hold() {
  const leaving = new Promise((resolve) => { leave = resolve; });
  const tell = teller();
  return new Promise((granted, failed) => {
    left = lock.using((signal) => {
      signal.addEventListener("abort", () => tell(signal.error));
      granted();
      return leaving;
    });
    left.catch(failed);
  });
}

serve({
  traits: { library: "redlock-universal", version: version("redlock-universal"), waits: true,
            nodes: MANY ? "many" : "one", renews: RENEWS, extends: true, tells: RENEWS },
  open(asked) {
    opened = asked;
    leave = undefined;
    clients = connect(asked, () => {});
    adapters = clients.map((client) => new NotingAdapter(client));
    locks = new Map();
  },
  async acquire(wait_ms) {
    errors = [];
    lock = locker(Math.ceil(wait_ms / EVERY_MS));
    if (RENEWS && opened.renew) {
      await hold();
      return true;
    }
    leave = undefined;
    handle = await lock.acquire();
    return { granted: true, token: handle.value };
  },
  extend() {
    if (leave) throw new Error("using() extends by itself");
    return lock.extend(handle, opened.ttl_ms);
  },
  async release() {
    if (!leave) return lock.release(handle);
    leave();
    await left; // using() hides whether its release failed
    return null;
  },
  // An open circuit breaker asks nobody.
  refuses: (error) => error.code === "LOCK_ACQUISITION_FAILED" && errors.length === 0 &&
    !/circuit breaker/i.test(String(error.cause)),
  close() {
    disconnect(clients);
    leave?.();
  },
});
