const { createRequire } = require('node:module');
const path = require('node:path');
const { default: Runtime } = require('jest-runtime');

/** Jest's own packages are made anew for each file, as the tests themselves are. */
const PACKAGES = /^(?!node:|\.|\/|jest|@jest\/|expect$)/;
/** The project's own and what tests share: they keep no state in their modules, whoever needs it makes it. */
const ROOT = path.join(path.dirname(path.dirname(__dirname)), path.sep);
const ROOMS =
  /^(?:(?:activities|api|db|dev|domain|metrics|test[\\/]support|web|worker|workflows)[\\/]|config[^\\/]*\.ts$)/;

/** Where the maps of compiled files lie; of all files of this process, for stacks of shared modules. */
const MAPS = new Map();

/**
 * Jest loads every module anew for every test file: with 300 files, most of a run went by loading,
 * and by running code that was compiled for once. Here a process loads a package or a module of the
 * project once, as any program would.
 */
exports.__esModule = true;
exports.default = class SharedModules extends Runtime {
  constructor(...given) {
    super(...given);
    this.transformCache.sourceMaps = MAPS;
    require.extensions['.ts'] ??= compileWith(this.transformCache);
  }

  requireModuleOrMock(from, name) {
    return isShared(from, name) ? createRequire(from)(name) : super.requireModuleOrMock(from, name);
  }
};

function isShared(from, name) {
  if (name.startsWith('.') === false) return PACKAGES.test(name);
  const file = path.resolve(path.dirname(from), name);
  return file.startsWith(ROOT) && ROOMS.test(file.slice(ROOT.length));
}

/** As Node loads what is written in plain JavaScript, with Jest's compiler and its cache. */
const compileWith = (cache) => (module, file) => {
  module._compile(cache.transform(file), file);
};
