import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const api = process.env['HOLDFAST_API'] ?? 'http://localhost:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
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
  server: { proxy: { '/api': api, '/file': api, '/speed-test/': api } },
});
