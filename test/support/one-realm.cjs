const vm = require('node:vm');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const forgetCounters = require('./forget-counters.cjs');
require('./without-promise-stacks.cjs');

/**
 * A Jest environment without a realm of its own: test files run in the realm of their process, one
 * after the other, so that packages loaded once (shared-modules.cjs) give errors, dates and arrays
 * of the same classes as the tests' own. Its own modules are shared as well.
 */
module.exports = class OneRealm {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    // Jest keeps its listeners by this name: those of files before would hear of each test, and wait.
    Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
    const mapped = Reflect.get(Error, 'prepareStackTrace');
    if (mapped !== undefined) Error.prepareStackTrace = mappingOwnOnly(mapped);
    await forgetCounters();
  }

  async teardown() {
    this.fakeTimersModern.dispose();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return OWN;
  }
};

/**
 * Jest puts the place in the source at every frame of every error; Playwright makes one for each word to the
 * browser. Frames of packages stay as they are: no maps are kept of them.
 */
const mappingOwnOnly = (mapped) => (error, frames) => {
  if (frames.every(isOfPackage) === false && frames.some(isOfPackage) === false)
    return mapped(error, frames);
  const lines = frames.map((frame) =>
    isOfPackage(frame) ? `    at ${frame}` : mapped(error, [frame]).split('\n').at(-1),
  );
  return [mapped(error, []), ...lines].join('\n');
};
const isOfPackage = (frame) => /^node:|[\\/]node_modules[\\/]/.test(frame.getFileName() ?? 'node:');

/** Jest compiles each module into a context: where it names this one, the process's own is meant. */
const OWN = vm.createContext({});
const compile = vm.compileFunction;
vm.compileFunction = (code, parameters, options = {}) =>
  compile(
    code,
    parameters,
    options.parsingContext === OWN ? { filename: options.filename } : options,
  );
