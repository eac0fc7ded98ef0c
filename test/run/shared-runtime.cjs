const { createRequire } = require('node:module');
const { join, sep } = require('node:path');
const Runtime = require('jest-runtime').default;

const testFolder = join(__dirname, '..') + sep;
const sourceFolder = join(__dirname, '..', '..', 'src') + sep;
const buildFolder = process.env.TEST_BUILD + sep;
const circusFolder = `${sep}jest-circus${sep}`;
const { cache, extensions } = createRequire(__filename);
let transformer;

/** A Map from modules to their source maps: those of the build stand beside them. */
class SourceMaps extends Map {
  get(path) {
    return path.startsWith(buildFolder) ? `${path}.map` : super.get(path);
  }
}
const sourceMaps = new SourceMaps();

/** Modules that may keep the state of a test file: those of the tests, and the part of Jest that collects tests. */
const isLoadedPerFile = (path) =>
  path.endsWith('.ts')
    ? path.startsWith(testFolder) || path.endsWith('.test.ts')
    : path.includes(circusFolder);

extensions['.ts'] = (module, path) => {
  if (path.startsWith(sourceFolder) && !path.endsWith('.test.ts')) {
    module.exports = module.require(path.replace(sourceFolder, buildFolder).replace(/\.ts$/, '.js'));
    return;
  }
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
