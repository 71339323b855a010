// Drives node-redis-warlock with node-redis 3, as its README has it: ../PROTOCOL.md.
const { promisify } = require("util");
const redis = require("redis");
const Warlock = require("node-redis-warlock");
const { serve, version } = require("./protocol.js");

const EVERY_MS = 50; // it has no pause of its own: optimistic() is told one
const NOT_OBTAINED = "unable to obtain lock";
let client, warlock, opened, unlock, id;

serve({
  traits: { library: "node-redis-warlock", version: version("node-redis-warlock"), waits: true,
            extends: true },
  open(asked) {
    opened = asked;
    const [host, port] = asked.nodes[0].split(":");
    client = redis.createClient({ host, port: Number(port), ...asked.client });
    client.on("error", (error) => console.error(String(error)));
    warlock = Warlock(client);
    // Only lock() tells the id that touch() needs; optimistic() calls it again and again.
    const { lock } = warlock;
    warlock.lock = (key, ttl, done) => lock(key, ttl, (error, given, its) => {
      id = its;
      done(error, given);
    });
  },
  async acquire(wait_ms) {
    const tries = Math.max(1, Math.ceil(wait_ms / EVERY_MS));
    unlock = await promisify(warlock.optimistic)(opened.key, opened.ttl_ms, tries, EVERY_MS);
    return { granted: true, token: id };
  },
  extend: async () => await warlock.touch(opened.key, id, opened.ttl_ms) === "OK",
  release: async () => await promisify(unlock)() === 1,
  refuses: (error) => error.message === NOT_OBTAINED,
  definite: (error) => error instanceof redis.ReplyError,
  close: () => client?.end(false),
});
