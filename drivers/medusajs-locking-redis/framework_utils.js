// Of @medusajs/framework, six hundred packages, what the lock takes: an error with a type, and a
// Promise.all that ends when all have ended.
exports.MedusaError = class MedusaError extends Error {
  static Types = { CONFLICT: "conflict" };

  constructor(type, message) {
    super(message);
    this.type = type;
  }
};

exports.promiseAll = async (promises) => {
  const ended = await Promise.allSettled(promises);
  const failed = ended.find((each) => each.status === "rejected");
  if (failed) throw failed.reason;
  return ended.map((each) => each.value);
};
