const { DefaultReporter } = require('@jest/reporters');

/** Jest's own, without the status line that nobody sees: it is counted anew over all tests at each line of output. */
module.exports = class PlainReporter extends DefaultReporter {
  __printStatus() {
    if (process.stdout.isTTY === true) super.__printStatus();
  }
};
