// Drives BullMQ: ../PROTOCOL.md. The lock is a worker's on the one job of a queue; a release puts
// the job back. A worker is started for each try; with the word `manual` jobs are fetched by hand,
// and nothing renews.
const { randomUUID } = require("crypto");
const { Queue, WaitingError, Worker } = require("bullmq");
const { Redis } = require("ioredis");
const { serve, teller, version } = require("./protocol.js");

const MANUAL = process.argv.includes("manual");
const QUEUE = "jobs"; // a name has no colon; all its keys begin with the prefix
const JOB = "job"; // its id: to add it again changes nothing as long as it is there
const NOT_OURS = /Missing lock|Lock mismatch|not locked|not in the active state/;
let opened, connection, queue, worker, job, token, leave, done;

function start(work) {
  const made = new Worker(QUEUE, work, {
    connection, prefix: opened.key, autorun: false, lockDuration: opened.ttl_ms,
    stalledInterval: opened.ttl_ms, maxStalledCount: 1000, ...opened.lib });
  made.on("error", (error) => console.error(String(error)));
  return made;
}

/** A worker that is closed if there is no job; else it holds the job until leave() is called. */
async function work() {
  const tell = teller();
  const leaving = new Promise((resolve) => { leave = resolve; });
  let refused = false; // a job that comes after that is put back at once
  const granted = await new Promise((resolve, failed) => {
    done = new Promise((put) => {
      worker = start(async (given, by) => {
        resolve(true);
        if (!refused) await leaving;
        await given.moveToWait(by).then(() => put(true), put);
        throw new WaitingError();
      });
    });
    worker.on("drained", () => {
      refused = true;
      resolve(false);
    });
    worker.on("lockRenewalFailed", () => tell("lockRenewalFailed"));
    worker.run().catch(failed);
  });
  if (!granted) await worker.close();
  return granted;
}

serve({
  traits: { library: "bullmq", version: version("bullmq"), renews: !MANUAL, extends: MANUAL,
            tells: !MANUAL },
  async open(asked) {
    opened = asked;
    const [host, port] = asked.nodes[0].split(":");
    connection = new Redis({ host, port: Number(port), maxRetriesPerRequest: null,
                             ...asked.client });
    connection.on("error", (error) => console.error(String(error)));
    queue = new Queue(QUEUE, { connection, prefix: opened.key });
    queue.on("error", (error) => console.error(String(error)));
    if (!MANUAL) return;
    worker = start(null);
    await worker.startStalledCheckTimer();
  },
  async acquire() {
    await queue.add("work", {}, { jobId: JOB });
    if (!MANUAL) return work();
    token = randomUUID();
    job = await worker.getNextJob(token, { block: false });
    return job ? { granted: true, token } : false;
  },
  async extend() {
    return Boolean(await job.extendLock(token, opened.ttl_ms));
  },
  async release() {
    if (MANUAL) {
      await job.moveToWait(token);
      return true;
    }
    leave();
    const closed = worker.close(); // begun before the job is put back, which it would else fetch
    const put = await done;
    await closed;
    if (put !== true) throw put;
    return true;
  },
  refuses: (error) => NOT_OURS.test(String(error)),
  close() {
    leave?.();
    worker?.close(true).catch(() => {});
    connection?.disconnect();
  },
});
