// Drives @sesamecare-oss/redlock with ioredis: ../PROTOCOL.md. Where it is to renew, the lock is
// held by using(); else, and with the word `acquire` always, by acquire().
const { Redlock, ExecutionError, ResourceLockedError } = require("@sesamecare-oss/redlock");

require("./redlock.js").serve({ name: "@sesamecare-oss/redlock",
                                renews: !process.argv.includes("acquire"),
                                Redlock, ExecutionError, ResourceLockedError });
