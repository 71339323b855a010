// The driver of redlock 5, and of what was made of it: `serve({ name, Redlock, ... })`.
// Where it is to renew, the lock is held by using(); else by acquire(), always if not `renews`.
const { ReplyError } = require("ioredis");
const { connect, disconnect } = require("./ioredis_clients.js");
const { serve, teller, version } = require("./protocol.js");

// The vote of a server that is not there may come in minutes, or never: redlock goes on without it,
// and so does its driver.
const silent = new Error("no quorum, and a server has not answered yet");

exports.serve = ({ name, renews, Redlock, ExecutionError, ResourceLockedError }) => {
  let clients = [];
  let redlock, opened, using, held, leave, left;

  /** Returns when using() has the lock; it gives the lock up when leave() is called. */
  function hold(settings) {
    const leaving = new Promise((resolve) => { leave = resolve; });
    const tell = teller();
    return new Promise((granted, failed) => {
      left = redlock.using([opened.key], opened.ttl_ms, settings, (signal) => {
        signal.addEventListener("abort", () => tell(signal.error));
        granted();
        return leaving;
      });
      left.catch(failed);
    });
  }

  /** What each server said against it, in each attempt. */
  async function objections(error) {
    if (!(error instanceof ExecutionError)) return [error];
    const late = new Promise((resolve) => { setTimeout(resolve, 20); });
    const votes = await Promise.all(error.attempts.map((each) => Promise.race([each, late])));
    return votes.flatMap((each) => (each ? [...each.votesAgainst.values()] : [silent]));
  }

  const lock = {
    traits: { library: name, version: version(name), nodes: "many", waits: true, renews,
              extends: true, tells: renews },
    connections: 0,
    open(asked) {
      opened = asked;
      using = renews && asked.renew;
      held = leave = undefined;
      clients = connect(asked, () => { lock.connections += 1; });
      redlock = new Redlock(clients, asked.lib);
    },
    async acquire(wait_ms) {
      const settings = { retryCount: Math.ceil(wait_ms / redlock.settings.retryDelay) };
      if (using) {
        await hold(settings);
        return true;
      }
      held = await redlock.acquire([opened.key], opened.ttl_ms, settings);
      return { granted: true, token: held.value };
    },
    valid: () => (held ? held.expiration - Date.now() : null),
    async extend() {
      if (using) throw new Error("using() extends by itself");
      held = await held.extend(opened.ttl_ms);
      return true;
    },
    async release() {
      if (using) leave();
      await (using ? left : held.release());
      return true;
    },
    close() {
      disconnect(clients);
      if (leave) leave();
    },
    async refuses(error) {
      return (await objections(error)).every((each) => each instanceof ResourceLockedError);
    },
    // Of several servers another may have granted it.
    async definite(error) {
      return clients.length === 1 && (await objections(error)).every(
        (each) => each instanceof ReplyError || each instanceof ResourceLockedError);
    },
  };
  serve(lock);
};
