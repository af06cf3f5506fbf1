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
    if (this.#running.size === PLATFORMS_MAX) {
      await new Promise((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    this.#running.add(path);
  }

  onTestFileResult({ path }) {
    if (this.#running.delete(path) === true) this.#waiting.shift()?.();
  }
};
