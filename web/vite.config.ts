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
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // An inlined font or image would need `data:` in more of the policy than images.
    assetsInlineLimit: 0,
  },
  server: { proxy: { '/api/': api, '/openapi.json': api, '/file': api, '/speed-test/': api } },
});
