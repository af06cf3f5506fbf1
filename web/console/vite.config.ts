import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, transformWithOxc } from 'vite';
import { mantineStyles } from '../mantine-styles.ts';

const root = path.dirname(fileURLToPath(import.meta.url));

/** The platform that pages talk to while they are developed (`npm start` serves it). */
const API = process.env['BASE_URL'] ?? 'http://127.0.0.1:8080';

/**
 * Before routes are split: a type over a page's texts, such as `typeof finance`, would keep these in the
 * entry, where all pages' searches and titles are, though nothing there runs them.
 */
const routesWithoutTypes: Plugin = {
  name: 'routes-without-types',
  enforce: 'pre',
  transform: {
    filter: { id: /\/web\/console\/routes\/[^?]*\.tsx/ },
    handler: async (code, id) =>
      await transformWithOxc(code, id, {
        lang: 'tsx',
        jsx: 'preserve',
        typescript: { onlyRemoveTypeImports: true },
      }),
  },
};

// oxlint-disable-next-line import/no-default-export -- Vite reads it
export default defineConfig({
  root,
  base: '/console/',
  plugins: [
    routesWithoutTypes,
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: path.join(root, 'routes'),
      generatedRouteTree: path.join(root, 'route-tree.gen.ts'),
      quoteStyle: 'single',
    }),
    react(),
    mantineStyles(root),
  ],
  build: {
    outDir: path.resolve(root, '../../dist/web/console'),
    emptyOutDir: true,
    // The pages' policy allows no inline code; what runs before a chunk is part of the entry.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // One file of styles: each more would be waited for before its page is drawn.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        // Few files, each larger: a page of a console was made of sixty, and each costs a slow machine
        // some milliseconds by itself. What only some pages share still comes with those alone.
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 2 },
            { name: 'pages', minShareCount: 96, maxSize: 500_000, priority: 1 },
          ],
        },
      },
      // A page's texts go with the page; its search and title, which stay with the entry, name none.
      treeshake: { moduleSideEffects: [{ test: /\/web\/console\/texts\//, sideEffects: false }] },
    },
    manifest: true,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
  },
  server: {
    proxy: {
      '/api': API,
      '/media': API,
      '/docs': API,
      '/ad': API,
      '/sdk.js': API,
      '/console/assets': API,
    },
  },
  clearScreen: false,
});
