const vm = require('node:vm');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/**
 * A Jest environment without a realm of its own: test files run in the realm of their process, one
 * after the other, so that packages loaded once (shared-modules.cjs) give errors, dates and arrays
 * of the same classes as the tests' own. Modules of the project are still loaded for each file.
 */
module.exports = class OneRealm {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

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

/** Jest compiles each module into a context: where it names this one, the process's own is meant. */
const OWN = vm.createContext({});
const compile = vm.compileFunction;
vm.compileFunction = (code, parameters, options = {}) =>
  compile(
    code,
    parameters,
    options.parsingContext === OWN ? { filename: options.filename } : options,
  );
