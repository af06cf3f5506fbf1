/** What workers need to end, and the report to be written. */
const REST_MS = 10_000;

/**
 * A reporter that ends Jest where something holds it: a file whose platform came up after its test had given
 * up leaves it behind, and nobody would ever read that the test failed. Its processes end with this one.
 */
module.exports = class AtAnEnd {
  onRunComplete() {
    setTimeout(() => process.exit(), REST_MS).unref();
  }
};
