// Drives @NAME@: ../PROTOCOL.md. Put your lock's calls in place of these, which are SET NX PX.
const { randomUUID } = require("crypto");
const { connect, disconnect } = require("./ioredis_clients.js");
const { serve } = require("./protocol.js");

const DELETE =
  "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) end return 0";
let clients = [];
let opened, token;

serve({
  traits: { library: "@NAME@", version: "1" },
  open(asked) {
    opened = asked;
    clients = connect(asked, () => {});
  },
  async acquire() {
    token = randomUUID();
    return await clients[0].set(opened.key, token, "PX", opened.ttl_ms, "NX") === "OK";
  },
  release: async () => await clients[0].eval(DELETE, 1, opened.key, token) === 1,
  close: () => disconnect(clients),
});
