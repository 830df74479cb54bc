/** `npm run dev`: the server restarts on change, the web app reloads hot, and both share one address. */
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureInstalled } from './install.mjs';
import { exclusively } from './lock.mjs';
import { pinnedNode, root, run } from './run.mjs';

await exclusively(() => ensureInstalled({ withDevelopment: true }));
const port = process.env.PORT ?? '3000';
const apiPort = String(await freePort());
const publicUrl = process.env.PUBLIC_URL ?? `http://localhost:${port}`;
const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
const server = run(
  pinnedNode(),
  ['--watch-path=server/src', '--watch-path=contract/src', '--watch-preserve-output', 'server/src/main.ts'],
  {
    env: { PORT: apiPort, HOST: '127.0.0.1', PUBLIC_URL: publicUrl },
  },
);
await Promise.race([accepting(apiPort), server]);
const web = run(
  pinnedNode(),
  [vite, 'web', '--port', port, '--strictPort', '--host', process.env.HOST ?? 'localhost'],
  {
    env: { HOLDFAST_API: `http://127.0.0.1:${apiPort}` },
  },
);
process.exitCode = (await Promise.race([server, web])) === 0 ? 0 : 1;
process.kill(process.pid, 'SIGTERM');

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address();
      probe.close(() => resolve(free));
    });
  });
}

/** Resolves when something listens on a local port, so that the first page does not load before the API is up. */
async function accepting(number) {
  const tryOnce = () =>
    new Promise((resolve) => {
      const socket = connect(Number(number), '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  while (!(await tryOnce())) await delay(100);
}
