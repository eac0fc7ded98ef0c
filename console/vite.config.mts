import { defineConfig } from 'vite';

const PAGES_TOGETHER = [
  'calls|call|live',
  'campaigns|campaign|campaign-new',
  'agents|agent|agent-versions',
  'knowledge|knowledge-base',
  'settings',
  'templates|template',
  'webhooks|webhook',
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
      output: {
        codeSplitting: {
          groups: [
            { name: 'shared', test: /src\/(components|api|live)\//, minShareCount: 2 },
            // Who opens one of these pages opens the others too; a file for each compressed worse.
            ...PAGES_TOGETHER.map((pages) => ({
              name: pages.replace(/\W.*/, ''),
              test: new RegExp(`src/pages/(${pages})/`),
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
    proxy: { '/api': 'http://127.0.0.1:3000' },
  },
});
