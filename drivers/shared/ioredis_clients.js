// Clients of ioredis, one for each server, for the drivers whose libraries take them.
const { Redis } = require("ioredis");

/** `closed()` is called when a connection ends. */
exports.connect = (asked, closed) => asked.nodes.map((node) => {
  const colon = node.lastIndexOf(":");
  const at = { host: node.slice(0, colon), port: Number(node.slice(colon + 1)) };
  const client = new Redis({ ...at, ...asked.client });
  client.on("error", (error) => console.error(String(error)));
  client.on("close", closed);
  return client;
});

exports.disconnect = (clients) => { for (const client of clients) client.disconnect(); };
