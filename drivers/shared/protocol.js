// The loop of PROTOCOL.md for drivers in JavaScript. A driver hands over its lock, an object with
//   traits           what `hello` says; what is left out is `one` server, and false
//   open(asked)      makes new client objects
//   acquire(wait_ms) true or false, or an object with `granted`, `token`, `fence`
//   release()        true, false, or null where the library tells nothing
// and, where there is something to say, extend(), close(), and
//   valid()          milliseconds that the grant is still valid by the library's word, below 0 if
//                    over, null where it does not tell
//   refuses(error)   whether what was thrown is a refusal, which is no error
//   definite(error)  whether nothing can have happened at the server, had it been sent only once
//   connections      that ended so far: clients send again on the next what was not answered
const fs = require("fs");
const path = require("path");

const us = () => Number(process.hrtime.bigint() / 1000n);
const say = (line) => process.stdout.write(JSON.stringify(line) + "\n");
const RESULTS = { acquire: "granted", extend: "extended", release: "released" };
let grant = 0; // the number of the latest try
let lost = false;

/** For a library that calls when a lock is lost: a function that tells so of this try alone. */
exports.teller = () => {
  const mine = grant;
  return (error) => {
    if (mine !== grant || lost) return;
    lost = true;
    say({ ev: "lost", what: String(error) });
  };
};

exports.version = (name) => JSON.parse(fs.readFileSync(
  path.join(__dirname, "node_modules", name, "package.json"))).version.replace(/^v/, "");

async function call(lock, asked) {
  const valid = () => (lock.valid ? { valid_ms: lock.valid() } : {});
  switch (asked.op) {
    case "hello":
      return { nodes: "one", waits: false, renews: false, extends: false, tells: false,
               fences: false, ...lock.traits };
    case "step":
      return { ok: true, lost, ...valid() };
    case "open":
      grant += 1;
      await lock.close?.();
      await lock.open(asked);
      return {};
    case "acquire": {
      grant += 1;
      lost = false;
      const got = await lock.acquire(asked.wait_ms);
      const said = typeof got === "boolean" ? { granted: got } : got;
      return said.granted ? { ...said, ...valid() } : said;
    }
    case "extend":
      if (!lock.extend) return { error: "it cannot be told to extend", definite: true };
      return { extended: await lock.extend(), ...valid() };
    case "release":
      return { released: await lock.release() };
    default:
      await lock.close?.();
      return {};
  }
}

async function answer(lock, asked) {
  const before = lock.connections;
  try {
    return await call(lock, asked);
  } catch (error) {
    if (RESULTS[asked.op] && await lock.refuses?.(error)) return { [RESULTS[asked.op]]: false };
    const definite = lock.connections === before && (await lock.definite?.(error)) === true;
    return { error: String(error) || "an error without a word", definite };
  }
}

exports.serve = async (lock) => {
  process.on("unhandledRejection", (error) => say({ ev: "unhandled", what: String(error) }));
  for await (const line of require("readline").createInterface({ input: process.stdin })) {
    const asked = JSON.parse(line);
    const called_us = us();
    const said = await answer(lock, asked);
    say({ id: asked.id, called_us, answered_us: us(), ...said });
    if (asked.op === "exit") break;
  }
  process.exit(0);
};
