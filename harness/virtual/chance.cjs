// Preloaded into Node.js in virtual time: what it draws by chance follows from the seed, and no
// bytes of it are kept for later.
const crypto = require("crypto");
const fs = require("fs");

const source = fs.openSync("/dev/urandom");
function draw(size) {
  const bytes = Buffer.alloc(size);
  if (size > 0) fs.readSync(source, bytes, 0, size, null);
  return bytes;
}
Math.random = () => draw(6).readUIntBE(0, 6) / 2 ** 48;
crypto.randomBytes = (size, done) =>
  done ? setImmediate(() => done(null, draw(size))) : draw(size);
crypto.randomUUID = () => {
  const bytes = draw(16);
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  return bytes.toString("hex").replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
};
