// @sesamecare-oss/redlock 1.4.0: using() never aborts its signal where an extension is not
// answered. It waits for the reply, and does not look at the clock, while the key runs out and
// another takes the lock. Here the way of one client to the server swallows all from the moment at
// which it has the lock; ioredis as it comes waits for ever (its commandTimeout would end that).
// Tracker: not reported for this package as far as was searched; for redlock 5 see
// https://github.com/mike-marcacci/node-redlock/issues/253.
// Run in the installed folder: node defects/not_told_of_a_lost_extension.js
const { spawn } = require("child_process");
const net = require("net");
const { Redis } = require("ioredis");
const { Redlock } = require("@sesamecare-oss/redlock");

const PORT = 7857;
const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
let swallows = false;

(async () => {
  const server = spawn("redis-server", ["--port", PORT, "--save", ""]);
  await sleep(500);
  net.createServer((near) => {
    const far = net.connect(PORT);
    near.on("data", (bytes) => swallows || far.write(bytes));
    far.on("data", (bytes) => swallows || near.write(bytes));
  }).listen(PORT + 1);
  const first = new Redlock([new Redis({ port: PORT + 1 })]);
  const second = new Redlock([new Redis({ port: PORT })]);
  first.using(["the lock"], 1000, async (signal) => {
    swallows = true;
    await second.acquire(["the lock"], 10000, { retryCount: 50 });
    await sleep(3000);
    console.log("the second has had the lock for 3 s; the signal of the first is aborted:",
                signal.aborted);
    console.log(signal.aborted ? "as it should be" : "DEFECT");
    server.kill("SIGKILL");
    process.exit(signal.aborted ? 0 : 1);
  });
})();
