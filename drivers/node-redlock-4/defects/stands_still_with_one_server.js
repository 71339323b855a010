// redlock 4.2.0 stands still as long as one server of three hangs: lock() waits for the answers of
// all, where Redlock asks for a majority. What it comes to is told when the third server goes on.
// Tracker: not reported as far as was searched; its author says that a majority is enough, in
// https://github.com/mike-marcacci/node-redlock/issues/88.
// Run in the installed folder: node defects/stands_still_with_one_server.js
const { spawn } = require("child_process");
const { Redis } = require("ioredis");
const Redlock = require("redlock");

const PORTS = [7831, 7832, 7833];
const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

(async () => {
  const servers = PORTS.map((port) => spawn("redis-server", ["--port", port, "--save", ""]));
  await sleep(500);
  const clients = PORTS.map((port) => new Redis({ port }));
  await Promise.all(clients.map((client) => client.ping()));
  const redlock = new Redlock(clients, { retryCount: 0 });
  servers[2].kill("SIGSTOP");
  let answer = "nothing";
  redlock.lock("the lock", 1000).then(() => { answer = "granted"; },
    (error) => { answer = error; });
  await sleep(5000);
  const still = answer === "nothing";
  console.log(`after 5 s, with two of three servers well and a TTL of 1 s: ${answer}`);
  servers[2].kill("SIGCONT");
  await sleep(500);
  console.log(`as the third goes on: ${answer}`);
  console.log(still ? "DEFECT" : "as it should be");
  for (const server of servers) server.kill("SIGKILL");
  process.exit(still ? 1 : 0);
})();
