// redlock 5.0.0-beta.2 counts the validity of a lock from the first of its tries, and not from the
// one that was granted: who waited for longer than the TTL gets a lock that has run out, though its
// key is there for all of the TTL. acquire() hands it over so, and using() aborts its signal at
// once. In Redlock each try begins with a time of its own.
// Tracker: https://github.com/mike-marcacci/node-redlock/issues/299, open.
// Run in the installed folder: node defects/over_when_it_is_granted.js
const { spawn } = require("child_process");
const { Redis } = require("ioredis");
const { default: Redlock } = require("redlock");

const PORT = 7861;
const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

(async () => {
  const server = spawn("redis-server", ["--port", PORT, "--save", ""]);
  await sleep(500);
  const redis = new Redis({ port: PORT });
  const redlock = new Redlock([redis]);
  const first = await redlock.acquire(["the lock"], 3000);
  setTimeout(() => first.release(), 2000);
  const told = [];
  await redlock.using(["the lock"], 1000, { retryCount: 50 }, async (signal) => {
    const left = await redis.pttl("the lock");
    await sleep(50);
    told.push(`the key is there for ${left} ms; the signal is aborted: ${signal.aborted}`);
    told.push(signal.aborted && left > 900 ? "DEFECT" : "as it should be");
  }).catch(() => {});
  console.log(told.join("\n"));
  server.kill("SIGKILL");
  process.exit(told[1] === "DEFECT" ? 1 : 0);
})();
