import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { allRefusals, apiReference } from '../contract/src/api-reference.ts';

const api = process.env['HOLDFAST_API'] ?? 'http://localhost:3000';

/** What stands in the bundle in place of a module. */
const replaced: readonly (readonly [module: string, code: string])[] = [
  // The docs show what the validators say: the values go into the bundle, and the validators stay out of it.
  [
    '/contract/src/api-reference.ts',
    Object.entries({ allRefusals, apiReference })
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
      .join('\n'),
  ],
  // For lists that grow page by page, of which there is none here.
  [
    '/@tanstack/query-core/build/modern/infiniteQueryBehavior.js',
    'export let infiniteQueryBehavior, hasNextPage, hasPreviousPage;',
  ],
  [
    '/lucide-react/dist/esm/createLucideIcon.mjs',
    `export { drawIcon as default } from '${import.meta.dirname}/src/ui/draw-icon.ts';`,
  ],
];

const replace: Plugin = {
  name: 'replace',
  load(id) {
    const [, code] = replaced.find(([module]) => id.endsWith(module)) ?? [];
    return code === undefined ? null : { code, moduleType: 'js' };
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [replace, react(), tailwindcss()],
  // The server replaces this word in every HTML answer with a fresh nonce.
  html: { cspNonce: 'HOLDFAST_NONCE' },
  worker: { format: 'es' },
  resolve: {
    // React has what the shim stands in for.
    alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' },
  },
  // Parts of the error reports that this app has no use for: traces, frames, shadow trees and a compressing worker.
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
    // The server reads from it which scripts a page needs, and names them in the page's head. So no table of what has to
    // be loaded with what travels in the script that every page loads first.
    manifest: 'pages.json',
    modulePreload: false,
    cssCodeSplit: false,
    // What every page loads is one file: it compresses better than several, and one request brings it. The smallest
    // things that many pages show are a second one.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'app', tags: ['$initial'], priority: 1 },
            {
              name: 'parts',
              test: /[\\/](ui[\\/](Card|Contours|contours|Skeleton)|lib[\\/]format|src[\\/]plans|pricing[\\/]price)\.tsx?$|[\\/]icons[\\/](check|copy)\.mjs$/,
            },
          ],
        },
      },
    },
    // An inlined font or image would need `data:` in more of the policy than images.
    assetsInlineLimit: 0,
  },
  server: { proxy: { '/api/': api, '/openapi.json': api, '/file': api, '/speed-test/': api } },
});
