// Drives redis-lock with node-redis 4: ../PROTOCOL.md. It asks for its lock for ever, and takes no
// word to stop: here its client stops, once a server has said no and wait_ms is over.
const redis = require("redis");
const redisLock = require("redis-lock");
const { serve, version } = require("./protocol.js");

let client, opened, unlock;

/** The client of one try, which calls `over` with the error, or nothing, when it is to stop. */
function patient(wait_ms, over) {
  const end = Date.now() + wait_ms;
  const stop = (error) => {
    over(error);
    return new Promise(() => {});
  };
  return {
    v4: true,
    del: (key) => client.del(key),
    set: async (...words) => {
      const said = await client.set(...words).catch((error) => {
        if (Date.now() >= end) return stop(error);
        throw error;
      });
      return said === null && Date.now() >= end ? stop() : said;
    },
  };
}

serve({
  traits: { library: "redis-lock", version: version("redis-lock"), waits: true },
  async open(asked) {
    opened = asked;
    client = redis.createClient({ url: `redis://${asked.nodes[0]}`, ...asked.client });
    client.on("error", (error) => console.error(String(error)));
    await client.connect();
  },
  async acquire(wait_ms) {
    unlock = await new Promise((resolve, failed) => {
      const lock = redisLock(patient(wait_ms, (error) => (error ? failed(error) : resolve())));
      lock(opened.key, opened.ttl_ms).then(resolve, failed);
    });
    return Boolean(unlock);
  },
  async release() {
    const deleted = await unlock();
    return deleted === undefined ? null : deleted === 1;
  },
  definite: (error) => error instanceof redis.ErrorReply,
  async close() {
    await client?.disconnect().catch(() => {});
  },
});
