// Drives RedisLockingProvider of @medusajs/locking-redis with ioredis: ../PROTOCOL.md. The lock is
// held by execute(), which renews it; with the word `acquire` by acquire(). Both know whole seconds.
const { randomUUID } = require("crypto");
const Module = require("module");
const path = require("path");
const { connect, disconnect } = require("./ioredis_clients.js");
const { serve, teller, version } = require("./protocol.js");

const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...rest) => (name === "@medusajs/framework/utils"
  ? path.join(__dirname, "framework_utils.js") : resolve(name, ...rest));
const { RedisLockingProvider } = require("@medusajs/locking-redis/dist/services/redis-lock.js");

const RENEWS = !process.argv.includes("acquire");
const NAME = "@medusajs/locking-redis";
let clients = [];
let provider, opened, expire, ownerId, leave, left;

/** Returns when execute() has the lock; it gives the lock up when leave() is called. */
function hold(timeout) {
  const leaving = new Promise((done) => { leave = done; });
  const tell = teller();
  return new Promise((granted, failed) => {
    left = provider.execute(opened.key, (signal) => {
      signal.addEventListener("abort", () => tell(signal.reason));
      granted(true);
      return leaving;
    }, { expire, timeout });
    left.catch(failed);
  });
}

serve({
  traits: { library: NAME, version: version(NAME), waits: RENEWS, renews: RENEWS, extends: !RENEWS,
            tells: RENEWS },
  open(asked) {
    opened = asked;
    expire = Math.floor(asked.ttl_ms / 1000);
    clients = connect(asked, () => {});
    provider = new RedisLockingProvider({ redisClient: clients[0], logger: console }, asked.lib);
  },
  async acquire(wait_ms) {
    if (RENEWS) return hold(wait_ms / 1000);
    ownerId = randomUUID();
    await provider.acquire(opened.key, { ownerId, expire });
    return { granted: true, token: ownerId };
  },
  // To take it again is to extend it, or to take it anew.
  async extend() {
    await provider.acquire(opened.key, { ownerId, expire });
    return true;
  },
  async release() {
    if (!RENEWS) return provider.release(opened.key, { ownerId });
    leave();
    await left; // a loss is thrown; what its release was told is not
    return null;
  },
  refuses: (error) => error.type === "conflict",
  close() {
    disconnect(clients);
    leave?.();
  },
});
