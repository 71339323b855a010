// redis-semaphore 5.8.0: a refresh that is never answered is never noticed. The mutex waits for the
// reply, asks no more, and calls no onLockLost, while its key runs out and another takes the lock.
// Here the way of one client to the server swallows all from the moment at which it has the lock;
// ioredis as it comes waits for ever (its commandTimeout would end that).
// Tracker: not reported as far as was searched.
// Run in the installed folder: node defects/not_told_of_a_lost_refresh.js
const { spawn } = require("child_process");
const net = require("net");
const { Redis } = require("ioredis");
const { Mutex } = require("redis-semaphore");

const PORT = 7851;
const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
let swallows = false;
let told = false;

(async () => {
  const server = spawn("redis-server", ["--port", PORT, "--save", ""]);
  await sleep(500);
  net.createServer((near) => {
    const far = net.connect(PORT);
    near.on("data", (bytes) => swallows || far.write(bytes));
    far.on("data", (bytes) => swallows || near.write(bytes));
  }).listen(PORT + 1);
  const options = { lockTimeout: 1000, acquireTimeout: 5000, onLockLost: () => { told = true; } };
  const first = new Mutex(new Redis({ port: PORT + 1 }), "the lock", options);
  const second = new Mutex(new Redis({ port: PORT }), "the lock", options);
  await first.acquire();
  swallows = true;
  await second.acquire();
  await sleep(3000);
  console.log(`the second has had the lock for 3 s; the first was told: ${told}, and says that it`,
              `has the lock: ${first.isAcquired}`);
  console.log(told ? "as it should be" : "DEFECT");
  server.kill("SIGKILL");
  process.exit(told ? 0 : 1);
})();
