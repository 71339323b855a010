// Drives redlock 5 with ioredis: ../PROTOCOL.md. Where it is to renew, the lock is held by
// using(); else, and with the word `acquire` always, by acquire().
const { default: Redlock, ExecutionError, ResourceLockedError } = require("redlock");

require("./redlock.js").serve({ name: "redlock", renews: !process.argv.includes("acquire"),
                                Redlock, ExecutionError, ResourceLockedError });
