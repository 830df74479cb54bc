/** `npm start`: installs what is missing, builds the web app if it is stale, and serves. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureWebBuilt } from './build-web.mjs';
import { ensureInstalled } from './install.mjs';
import { exclusively } from './lock.mjs';
import { pinnedNode, refuseFilesForNode, root, run } from './run.mjs';

refuseFilesForNode(process.argv.slice(2));
await exclusively(async () => {
  await ensureInstalled({ withDevelopment: false });
  await ensureWebBuilt();
});
endWithParent();
// docs/decisions/0005 gives the reasons for these settings.
const how = JSON.parse(readFileSync(join(root, 'server', 'process.json'), 'utf8'));
// Caches compiled code between starts, because compiling is most of the work of a start.
const env = { ...how.environment, NODE_COMPILE_CACHE: join(root, '.cache', 'compiled') };
process.exitCode = await run(pinnedNode(), [...how.arguments, '--', 'server/src/main.ts', ...process.argv.slice(2)], {
  env,
});

/**
 * Stopping `npm start` ends npm and its shell, but shells do not forward the signal. The server would keep running out
 * of sight and hold the port, so losing the parent counts as a request to stop.
 */
function endWithParent() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGTERM'), 250).unref();
}
