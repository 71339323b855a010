// Drives Mutex of redis-semaphore with ioredis: ../PROTOCOL.md; with the word `redlock`
// RedlockMutex, and with `fixed` one that does not refresh.
const { Mutex, RedlockMutex } = require("redis-semaphore");
const { connect, disconnect } = require("./ioredis_clients.js");
const { serve, teller, version } = require("./protocol.js");

const MANY = process.argv.includes("redlock");
const RENEWS = !process.argv.includes("fixed");
let clients = [];
let opened, mutex;

serve({
  traits: { library: "redis-semaphore", version: version("redis-semaphore"), waits: true,
            nodes: MANY ? "many" : "one", renews: RENEWS, tells: RENEWS },
  open(asked) {
    opened = asked;
    clients = connect(asked, () => {});
  },
  async acquire(wait_ms) {
    mutex?.stopRefresh();
    const options = {
      lockTimeout: opened.ttl_ms,
      onLockLost: teller(),
      ...(opened.renew ? {} : { refreshInterval: 0 }),
      ...(wait_ms ? { acquireTimeout: wait_ms } : { acquireAttemptsLimit: 1 }),
      ...opened.lib,
    };
    mutex = MANY ? new RedlockMutex(clients, opened.key, options)
      : new Mutex(clients[0], opened.key, options);
    const granted = await mutex.tryAcquire();
    return { granted, token: mutex.identifier };
  },
  async release() {
    await mutex.release();
    return null;
  },
  close() {
    mutex?.stopRefresh();
    disconnect(clients);
  },
});
