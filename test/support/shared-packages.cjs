const { createRequire } = require('node:module');
const { default: Runtime } = require('jest-runtime');

/** Jest's own packages are made anew for each file, as everything of the project is. */
const SHARED = /^(?!node:|\.|\/|jest|@jest\/|expect$)/;

/**
 * Jest loads every module anew for every test file: with 180 files, a third of a run went by loading
 * Sequelize, Temporal and Express. Here a process loads a package once, as any program would.
 */
exports.__esModule = true;
exports.default = class SharedPackages extends Runtime {
  requireModuleOrMock(from, name) {
    return SHARED.test(name) ? createRequire(from)(name) : super.requireModuleOrMock(from, name);
  }
};
