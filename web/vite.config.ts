import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { allRefusals, apiReference } from '../contract/src/api-reference.ts';

const api = process.env['HOLDFAST_API'] ?? 'http://localhost:3000';

/** The docs show what the validators say: the values go into the bundle, and the validators stay out of it. */
const docsWithoutValidators: Plugin = {
  name: 'docs-without-validators',
  load: (id) =>
    id.endsWith('/contract/src/api-reference.ts')
      ? {
          code: Object.entries({ allRefusals, apiReference })
            .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
            .join('\n'),
          moduleType: 'js',
        }
      : null,
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [docsWithoutValidators, react(), tailwindcss()],
  // The server replaces this word in every HTML answer with a fresh nonce.
  html: { cspNonce: 'HOLDFAST_NONCE' },
  worker: { format: 'es' },
  // React has what the shim stands in for.
  resolve: {
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
              test: /[\\/]ui[\\/](Card|Contours|contours|Skeleton)\.tsx?$|[\\/]icons[\\/](check|copy)\.mjs$/,
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
