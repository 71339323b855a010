// redis-semaphore 5.8.0: a refresh that fails ends the process, though onLockLost is given: nobody
// catches the error of the command in the timer, and Node.js ends a process for that. Here the
// server ends while the lock is held, and ioredis gives up on the refresh.
// Tracker: https://github.com/swarthy/redis-semaphore/issues/199, closed as out of its scope.
// Run in the installed folder: node defects/a_failed_refresh_ends_the_process.js
const { spawn } = require("child_process");
const { Redis } = require("ioredis");
const { Mutex } = require("redis-semaphore");

const PORT = 7841;
const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

async function holder() {
  const client = new Redis({ port: PORT, maxRetriesPerRequest: 1 });
  client.on("error", () => {}); // of the connection: it is told, and that is enough
  const mutex = new Mutex(client, "the lock", {
    lockTimeout: 500, onLockLost: () => console.log("onLockLost") });
  await mutex.acquire();
  console.log("acquired");
  await sleep(4000); // its job
  console.log("done");
  process.exit(0);
}

async function main() {
  const server = spawn("redis-server", ["--port", PORT, "--save", ""]);
  await sleep(500);
  const child = spawn(process.execPath, [__filename, "holder"],
    { stdio: ["ignore", "inherit", "pipe"] });
  let said = "";
  child.stderr.on("data", (data) => { said += data; });
  setTimeout(() => server.kill("SIGKILL"), 700);
  const code = await new Promise((resolve) => { child.on("close", resolve); });
  console.log(`the process ended with code ${code}: ${(said.match(/\w*Error: .*/) || [""])[0]}`);
  console.log(code === 0 ? "as it should be" : "DEFECT");
  process.exit(code === 0 ? 0 : 1);
}

if (process.argv[2] === "holder") holder(); else main();
