const { startsPlatform } = require('./platform-files.cjs');

/** At once; with one more, platforms do not come up in the time that they are given. */
const PLATFORMS_MAX = 2;

/**
 * A reporter that Jest asks before each file: those that start a platform wait for one another, while other
 * files run beside them and use the time in which platforms wait.
 */
module.exports = class FewPlatforms {
  #running = new Set();
  #waiting = [];

  async onTestFileStart({ path }) {
    if (startsPlatform(path) === false) return;
    if (this.#running.size < PLATFORMS_MAX) {
      this.#running.add(path);
      return;
    }
    await new Promise((resolve) => {
      this.#waiting.push({ path, resolve });
    });
  }

  /** Also of a file that failed, or whose process died. */
  onTestFileResult({ path }) {
    if (this.#running.delete(path) === false || this.#waiting.length === 0) return;
    const next = this.#waiting.shift();
    this.#running.add(next.path);
    next.resolve();
  }
};
