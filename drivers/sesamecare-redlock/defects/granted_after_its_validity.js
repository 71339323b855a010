// @sesamecare-oss/redlock 1.4.0 grants a lock whose validity has run out: acquire()
// does not look at the clock when its votes are in, though Redlock grants "only if the total time
// elapsed is less than lock validity time". Two of three servers answer after 800 ms here, and the
// TTL is 500 ms.
// Tracker: not reported for this package as far as was searched; for redlock 5 it is, as
// https://github.com/mike-marcacci/node-redlock/issues/296.
// Run in the installed folder: node defects/granted_after_its_validity.js
const { spawn } = require("child_process");
const { Redis } = require("ioredis");
const { Redlock } = require("@sesamecare-oss/redlock");

const PORTS = [7821, 7822, 7823];
const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

(async () => {
  const servers = PORTS.map((port) => spawn("redis-server", ["--port", port, "--save", ""]));
  await sleep(500);
  const clients = PORTS.map((port) => new Redis({ port }));
  const redlock = new Redlock(clients, { retryCount: 0 });
  await Promise.all(clients.map((client) => client.ping()));
  for (const server of servers.slice(0, 2)) server.kill("SIGSTOP");
  setTimeout(() => { for (const server of servers.slice(0, 2)) server.kill("SIGCONT"); }, 800);
  const lock = await redlock.acquire(["the lock"], 500).catch((error) => String(error));
  const left = lock.expiration - Date.now();
  console.log(left < 0 ? "granted, though its validity is over: DEFECT" : "as it should be");
  console.log("acquire():", lock.value ? `a lock that ran out ${-left} ms ago` : lock);
  for (const server of servers) server.kill("SIGKILL");
  process.exit(left < 0 ? 1 : 0);
})();
