const { readFileSync } = require('node:fs');

/**
 * Files that start API and worker as processes, and mostly a browser: with the test itself that is work for a
 * whole core now and waiting then.
 */
const PLATFORM =
  /console-routes|support\/(?:hands|platform|console)\.ts|sdk-stand|\.\/(?:flow-crashes|temporal-away)\.ts/;

exports.startsPlatform = (path) => PLATFORM.test(readFileSync(path, 'utf8'));
