const { existsSync, readFileSync } = require('node:fs');

/** Where dev/test.ts keeps what the last run took. */
const REPORT = '.data/test/jest.json';
/** What a file brings tells that it waits, and about its seconds before any run has. */
const BRINGS = [
  [/console-routes|support\/hands|\.\/(?:flow-crashes|temporal-away)\.ts/, 100],
  [/support\/(?:platform|console|walk|bulk-lists|bad-input)|sdk-stand/, 40],
  [/support\/(?:flow-desk|sandboxes)|\bflows: |TEMPORAL_ADDRESS|services\/postgres/, 20],
  [/browser\.ts/, 10],
];
const BYTES_PER_SECOND = 3_000;

/**
 * Long files begin first, so that none of them is left to run alone in the end; and beside one that mostly waits, for
 * processes of its own and what they do, goes one that works. Two that wait leave a third of a machine idle.
 */
module.exports = class Woven {
  #seconds = secondsOfLastRun();

  sort(tests) {
    const files = tests.map((test) => ({ test, ...this.#estimate(test.path) }));
    files.sort((a, b) => b.seconds - a.seconds);
    const lanes = [
      files.filter(({ waits }) => waits === true),
      files.filter(({ waits }) => waits === false),
    ];
    return weave(lanes).map(({ test }) => test);
  }

  /** Part of the interface that Jest calls; the report is written by Jest itself. */
  cacheResults() {}

  #estimate(path) {
    const text = readFileSync(path, 'utf8');
    const brought = BRINGS.find(([pattern]) => pattern.test(text) === true)?.[1];
    const seconds = this.#seconds.get(path) ?? brought ?? text.length / BYTES_PER_SECOND;
    return { seconds, waits: brought !== undefined };
  }
};

/** As two workers come to them that keep to a lane each until it is empty. */
function weave(lanes) {
  const order = [];
  const clocks = [0, 0];
  while (lanes[0].length + lanes[1].length > 0) {
    const worker = clocks[0] <= clocks[1] ? 0 : 1;
    const lane = lanes[worker].length > 0 ? lanes[worker] : lanes[1 - worker];
    const next = lane.shift();
    clocks[worker] += next.seconds;
    order.push(next);
  }
  return order;
}

function secondsOfLastRun() {
  if (existsSync(REPORT) === false) return new Map();
  const { testResults } = JSON.parse(readFileSync(REPORT, 'utf8'));
  return new Map(
    testResults.map(({ name, startTime, endTime }) => [name, (endTime - startTime) / 1_000]),
  );
}
