// Drives redlock with ioredis: ../PROTOCOL.md. Where it is to renew, the lock is held by using().
const fs = require("fs");
const path = require("path");
const { Redis, ReplyError } = require("ioredis");
const { default: Redlock, ExecutionError, ResourceLockedError } = require("redlock");

const us = () => Number(process.hrtime.bigint() / 1000n);
const say = (line) => process.stdout.write(JSON.stringify(line) + "\n");
const { version } = JSON.parse(
  fs.readFileSync(path.join(__dirname, "node_modules/redlock/package.json")));
let clients = [];
let closed = 0; // connections that ended: ioredis sends again on the next what was not answered
let redlock, opened, lock, leave, left, lost;

function disconnect() {
  for (const client of clients) client.disconnect();
  clients = [];
}

async function hold(settings) {
  const leaving = new Promise((resolve) => { leave = resolve; });
  const mine = opened;
  await new Promise((granted, failed) => {
    left = redlock.using([opened.key], opened.ttl_ms, settings, (signal) => {
      signal.addEventListener("abort", () => {
        if (mine !== opened) return; // nobody's any more
        lost = true;
        say({ ev: "lost", what: String(signal.error) });
      });
      granted();
      return leaving;
    });
    left.catch(failed);
  });
}

const ops = {
  hello: () => ({ library: "node-redlock", version: version.replace(/^v/, ""), nodes: "many",
                  waits: true, renews: true, extends: true, tells: true, fences: false }),
  open(asked) {
    disconnect();
    if (leave) leave();
    opened = asked;
    lock = leave = undefined;
    clients = asked.nodes.map((node) => {
      const colon = node.lastIndexOf(":");
      const at = { host: node.slice(0, colon), port: Number(node.slice(colon + 1)) };
      const client = new Redis({ ...at, ...asked.client });
      client.on("error", (error) => console.error(String(error)));
      client.on("close", () => { closed += 1; });
      return client;
    });
    redlock = new Redlock(clients, asked.lib);
  },
  async acquire({ wait_ms }) {
    const settings = { retryCount: Math.ceil(wait_ms / redlock.settings.retryDelay) };
    lost = false;
    lock = leave = undefined;
    if (opened.renew) {
      await hold(settings);
      return { granted: true };
    }
    lock = await redlock.acquire([opened.key], opened.ttl_ms, settings);
    return { granted: true, token: lock.value, ...valid() };
  },
  step: () => ({ ok: true, lost, ...valid() }),
  async extend() {
    if (!lock) return { error: "using() extends by itself", definite: true };
    lock = await lock.extend(opened.ttl_ms);
    return { extended: true, ...valid() };
  },
  async release() {
    if (leave) {
      leave();
      await left;
    } else if (lock) {
      await lock.release();
    } else {
      return { released: false };
    }
    return { released: true };
  },
  close: disconnect,
  exit: disconnect,
};
const refusals = { acquire: "granted", extend: "extended", release: "released" };

const valid = () => (lock ? { valid_ms: Math.max(0, lock.expiration - Date.now()) } : {});

// What each server said against it, in each attempt. The vote of a server that is not there may come
// in minutes, or never: redlock goes on without it, and so does its driver.
const silent = new Error("no quorum, and a server has not answered yet");
async function objections(error) {
  if (!(error instanceof ExecutionError)) return [error];
  const late = new Promise((resolve) => { setTimeout(resolve, 20); });
  const votes = await Promise.all(error.attempts.map((each) => Promise.race([each, late])));
  return votes.flatMap((each) => (each ? [...each.votesAgainst.values()] : [silent]));
}

async function answer(asked) {
  const before = closed;
  try {
    return await ops[asked.op](asked);
  } catch (error) {
    const against = await objections(error);
    const others = against.filter((each) => !(each instanceof ResourceLockedError));
    if (others.length === 0) return { [refusals[asked.op]]: false };
    return { error: String(others[0]),
             // Of several servers another may have granted it.
             definite: clients.length === 1 && closed === before &&
               others.every((each) => each instanceof ReplyError) };
  }
}

process.on("unhandledRejection", (error) => say({ ev: "unhandled", what: String(error) }));
(async () => {
  for await (const line of require("readline").createInterface({ input: process.stdin })) {
    const asked = JSON.parse(line);
    const called_us = us();
    const said = await answer(asked);
    say({ id: asked.id, called_us, answered_us: us(), ...said });
    if (asked.op === "exit") break;
  }
  process.exit(0);
})();
