import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { allRefusals, apiReference } from '../contract/src/api-docs/reference.ts';

const api = process.env['HOLDFAST_API'] ?? 'http://localhost:3000';

const reactRouter = join(import.meta.dirname, '../node_modules/@tanstack/react-router/dist/esm');

/** Modules and the code that replaces them in the bundle: what this app does not use is 4 KB of the 120 KB of `/`. */
const replaced: readonly (readonly [module: string, code: string])[] = [
  // The docs show values that the validators define. The values go into the bundle, and the validators stay out of it.
  [
    '/contract/src/api-docs/reference.ts',
    Object.entries({ allRefusals, apiReference })
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
      .join('\n'),
  ],
  [
    '/lucide-react/dist/esm/createLucideIcon.mjs',
    `export { drawIcon as default } from '${import.meta.dirname}/src/ui/draw-icon.ts';`,
  ],
  // Every route has its own screen for errors.
  [
    '/react-router/dist/esm/CatchBoundary.js',
    readFileSync(join(reactRouter, 'CatchBoundary.js'), 'utf8').replace(
      /^function ErrorComponent[^]*?^}/m,
      'const ErrorComponent = () => null;',
    ),
  ],
  // The app restores no positions.
  ['/router-core/dist/esm/scroll-restoration.js', `export * from '${import.meta.dirname}/src/lib/scroll-new-page.ts';`],
  ['/react-router/dist/esm/scroll-restoration.js', 'export const ScrollRestoration = () => null;'],
  [
    '/@tanstack/query-core/build/modern/infiniteQueryBehavior.js',
    'export let infiniteQueryBehavior, hasNextPage, hasPreviousPage;',
  ],
  // The page's head already preloads scripts.
  ['vite/preload-helper.js', 'export const __vitePreload = (load) => load();'],
];

const replace: Plugin = {
  name: 'replace',
  load(id) {
    const [, code] = replaced.find(([module]) => id.endsWith(module)) ?? [];
    return code === undefined ? null : { code, moduleType: 'js' };
  },
};

/** Folders of the packages from which code or fonts are in the build. Only its style sheet comes from Tailwind. */
const packageFolders = new Set([join(import.meta.dirname, '../node_modules/tailwindcss')]);

/** Workers are builds of their own, with their own plugins. */
const notePackages: Plugin = {
  name: 'note-packages',
  apply: 'build',
  generateBundle(_options, bundle) {
    for (const part of Object.values(bundle))
      for (const source of part.type === 'chunk' ? part.moduleIds : part.originalFileNames) {
        const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(resolve(import.meta.dirname, source)) ?? [];
        if (folder !== undefined) packageFolders.add(folder);
      }
  },
};

/** `scripts/build-web.mjs` reads this list, relative to the repository, and publishes the licenses of the packages. */
const writePackages: Plugin = {
  name: 'write-packages',
  apply: 'build',
  writeBundle({ dir = '' }) {
    const folders = [...packageFolders].map((folder) => relative(join(import.meta.dirname, '..'), folder));
    writeFileSync(join(dir, '.packages'), JSON.stringify(folders));
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [replace, react(), tailwindcss(), notePackages, writePackages],
  // The server replaces this placeholder in every HTML response with a fresh nonce.
  html: { cspNonce: 'HOLDFAST_NONCE' },
  worker: { format: 'es', plugins: () => [notePackages] },
  resolve: {
    // React provides what the shim implements.
    alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' },
  },
  // Excludes parts of the error reporting that this app does not use: tracing, iframes, shadow DOM and a compression
  // worker.
  define: {
    __SENTRY_DEBUG__: false,
    __SENTRY_TRACING__: false,
    __RRWEB_EXCLUDE_IFRAME__: true,
    __RRWEB_EXCLUDE_SHADOW_DOM__: true,
    __SENTRY_EXCLUDE_REPLAY_WORKER__: true,
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The server reads this manifest to find the scripts of a page, and adds them to the page's head. So the first
    // script needs no table of dependencies.
    manifest: 'pages.json',
    modulePreload: false,
    cssCodeSplit: false,
    // Code that every page loads is one file: it compresses better than several, and needs one request. The smallest
    // modules that many pages share are a second file.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'app', tags: ['$initial'], priority: 1 },
            {
              name: 'parts',
              test: /[\\/](ui[\\/](Card|Contours|CopyButton|IconButton|use-copied)|lib[\\/](format|plans|plan-texts)|src[\\/](plans|contours)|components[\\/]ProductDemo)\.tsx?$|[\\/]icons[\\/](check|copy)\.mjs$/,
            },
          ],
        },
      },
    },
    // Inlined fonts or images would need `data:` in more directives of the content security policy than img-src.
    assetsInlineLimit: 0,
  },
  server: { proxy: { '/api/': api, '/openapi.json': api, '/file': api, '/speed-test/': api } },
});
