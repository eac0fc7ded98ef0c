import { defineConfig } from 'vite';

/** The features whose pages share a file. Live calls are shown by the table of the calls, their panel when it opens. */
const FEATURES_TOGETHER = [
  'calls|live(?!/panel)',
  'campaigns',
  'agents',
  'knowledge',
  'settings',
  'templates',
  'webhooks',
];

export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    // The content security policy allows no data: scripts or styles; images may be inlined.
    assetsInlineLimit: (file) => (/\.(svg|png)$/.test(file) ? undefined : false),
    modulePreload: { polyfill: false },
    // Many small files compress worse than one, and each is a request.
    cssCodeSplit: false,
    rolldownOptions: {
      // So a page loads the texts that it uses, although all of them come from one module.
      treeshake: { moduleSideEffects: [{ test: /console\/src\/texts\//, sideEffects: false }] },
      output: {
        codeSplitting: {
          groups: [
            { name: 'shared', test: /src\/(ui|domain|api|live)\//, minShareCount: 4 },
            // Someone who opens a page of a feature opens the others too. A file for each page compressed worse.
            ...FEATURES_TOGETHER.map((features) => ({
              name: features.replace(/\W.*/, ''),
              test: new RegExp(`src/features/(${features})/`),
              includeDependenciesRecursively: false,
            })),
          ],
        },
      },
      // Packages mark what runs in a browser only, which all of the console does.
      onLog(level, log, handler) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handler(level, log);
      },
    },
  },
  server: {
    // For work on the console: `npx vite console` beside a running server.
    proxy: { '/api': 'http://127.0.0.1:3000', '/oidc': 'http://127.0.0.1:3000' },
  },
});
