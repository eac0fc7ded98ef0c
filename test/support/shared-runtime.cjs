const { createRequire } = require('node:module');
const { join, sep } = require('node:path');
const Runtime = require('jest-runtime').default;

const testFolder = join(__dirname, '..') + sep;
const circusFolder = `${sep}jest-circus${sep}`;
const sourceMaps = new Map();
const { cache, extensions } = createRequire(__filename);
let transformer;

/** Modules that may keep the state of a test file: those of the tests, and the part of Jest that collects tests. */
const isLoadedPerFile = (path) =>
  path.endsWith('.ts')
    ? path.startsWith(testFolder) || path.endsWith('.test.ts')
    : path.includes(circusFolder);

extensions['.ts'] = (module, path) => {
  const { code, sourceMapPath } = transformer.transform(path, {});
  sourceMaps.set(path, sourceMapPath);
  module._compile(code, path);
};

/**
 * Loads modules with `require` of Node.js, so that a worker loads the product and its packages once. Jest's own runtime
 * loads 2,500 modules again for each test file. `jest.mock` does not work with this runtime; no test uses it.
 */
module.exports = class SharedRuntime extends Runtime {
  constructor(config, environment, resolver, ownTransformer, ...others) {
    super(config, environment, resolver, ownTransformer, ...others);
    transformer = ownTransformer;
    for (const path of Object.keys(cache).filter(isLoadedPerFile)) delete cache[path];
  }

  requireModule(from, name = from) {
    return createRequire(from)(name);
  }

  requireInternalModule(from, name = from) {
    return createRequire(from)(name);
  }

  setGlobalsForRuntime(globals) {
    super.setGlobalsForRuntime(globals);
    globalThis.jest = this.requireModuleOrMock(__filename, '@jest/globals').jest;
  }

  /** Stack traces also go through modules that an earlier test file loaded. */
  getSourceMaps() {
    return sourceMaps;
  }
};
