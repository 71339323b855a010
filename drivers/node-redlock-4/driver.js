// Drives redlock 4 with ioredis: ../PROTOCOL.md. The lock is held by lock(), or with the word
// `using` by its disposer, which releases at the end of a function, and does not renew.
const bluebird = require("bluebird");
const { ReplyError } = require("ioredis");
const Redlock = require("redlock");
const { connect, disconnect } = require("./ioredis_clients.js");
const { serve, version } = require("./protocol.js");

const USING = process.argv.includes("using");
let clients = [];
let errors = []; // what servers answered to the present call, which redlock tells nobody else
let redlock, patient, opened, held, leave, left;

// A try of its own: lockWithOptions takes a retryCount of 0 for that of the constructor, and a
// disposer takes no options.
function locker(asked, settings) {
  const made = new Redlock(clients, { ...settings, ...asked.lib });
  made.on("clientError", (error) => errors.push(error));
  return made;
}

/** Returns when the disposer has the lock; it is given up when leave() is called. */
function hold(by) {
  const leaving = new Promise((resolve) => { leave = resolve; });
  return new Promise((granted, failed) => {
    left = bluebird.using(by.disposer(opened.key, opened.ttl_ms), (lock) => {
      held = lock;
      granted();
      return leaving;
    });
    left.catch(failed);
  });
}

const driver = {
  traits: { library: "redlock 4", version: version("redlock"), nodes: "many", waits: true,
            extends: true },
  connections: 0,
  open(asked) {
    opened = asked;
    clients = connect(asked, () => { driver.connections += 1; });
    redlock = locker(asked, { retryCount: 0 });
    patient = locker(asked, {});
  },
  async acquire(wait_ms) {
    errors = [];
    const by = wait_ms
      ? locker(opened, { retryCount: Math.ceil(wait_ms / patient.retryDelay) }) : redlock;
    if (USING) await hold(by);
    else held = await by.lock(opened.key, opened.ttl_ms);
    return { granted: true, token: held.value };
  },
  valid: () => held.expiration - Date.now(),
  async extend() {
    errors = [];
    held = await patient.extend(held, opened.ttl_ms);
    return true;
  },
  async release() {
    errors = [];
    if (USING) {
      // Its disposer has an errorHandler of its own, which says nothing: nor does using().
      leave();
      await left;
      return null;
    }
    await patient.unlock(held);
    return true;
  },
  close() {
    disconnect(clients);
    if (leave) leave();
  },
  refuses: (error) => error instanceof Redlock.LockError && errors.length === 0,
  // Of several servers another may have granted it.
  definite: () => clients.length === 1 && errors.length > 0 &&
    errors.every((each) => each instanceof ReplyError),
};
serve(driver);
