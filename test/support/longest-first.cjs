const { existsSync, readFileSync } = require('node:fs');
const { startsPlatform } = require('./platform-files.cjs');

/** Where dev/test.ts keeps what the last run took. */
const REPORT = '.data/test/jest.json';
/** What a file brings tells about its seconds before any run has. */
const BRINGS = [
  [/console-routes|support\/hands|\.\/(?:flow-crashes|temporal-away)\.ts/, 100],
  [/support\/(?:platform|console|walk|bulk-lists|bad-input|model)|sdk-stand/, 40],
  [/support\/(?:flow-desk|sandboxes)|\bflows: |TEMPORAL_ADDRESS|services\/postgres/, 20],
  [/browser\.ts/, 10],
];
const BYTES_PER_SECOND = 3_000;

/** Of three files that run, two may have a platform (few-platforms.cjs). */
const PLATFORM_SHARE = 2;

/**
 * Long files begin first, so that none of them is left to run alone in the end; those with a platform and others
 * in turn, so that there are some of both to run beside each other.
 */
module.exports = class LongestFirst {
  #seconds = secondsOfLastRun();

  sort(tests) {
    const seconds = new Map(tests.map(({ path }) => [path, this.#secondsOf(path)]));
    const sorted = [...tests].sort((a, b) => seconds.get(b.path) - seconds.get(a.path));
    const platforms = sorted.filter(({ path }) => startsPlatform(path));
    const others = sorted.filter((test) => platforms.includes(test) === false);
    const order = [];
    const spent = { platforms: 0, others: 0 };
    const take = (from, kind) => {
      const test = from.shift();
      spent[kind] += seconds.get(test.path);
      order.push(test);
    };
    while (platforms.length > 0 || others.length > 0) {
      const isBehind = spent.platforms <= spent.others * PLATFORM_SHARE;
      if (others.length === 0 || (platforms.length > 0 && isBehind)) take(platforms, 'platforms');
      else take(others, 'others');
    }
    return order;
  }

  /** Part of the interface that Jest calls; the report is written by Jest itself. */
  cacheResults() {}

  #secondsOf(path) {
    const known = this.#seconds.get(path);
    if (known !== undefined) return known;
    const text = readFileSync(path, 'utf8');
    const brought = BRINGS.find(([pattern]) => pattern.test(text) === true);
    return brought?.[1] ?? text.length / BYTES_PER_SECOND;
  }
};

function secondsOfLastRun() {
  if (existsSync(REPORT) === false) return new Map();
  const { testResults } = JSON.parse(readFileSync(REPORT, 'utf8'));
  return new Map(
    testResults.map(({ name, startTime, endTime }) => [name, (endTime - startTime) / 1_000]),
  );
}
