/** `npm start`: install what is missing, build the web app if it is stale, serve. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureWebBuilt } from './build-web.mjs';
import { ensureInstalled } from './install.mjs';
import { exclusively } from './lock.mjs';
import { pinnedNode, root, run } from './run.mjs';

await exclusively(async () => {
  await ensureInstalled({ withDevelopment: false });
  await ensureWebBuilt();
});
endWithParent();
// docs/decisions/0005 says why these.
const how = JSON.parse(readFileSync(join(root, 'server', 'process.json'), 'utf8'));
// Compiled code is kept between starts, which is most of what a start has to do.
const env = { ...how.environment, NODE_COMPILE_CACHE: join(root, '.cache', 'compiled') };
process.exitCode = await run(pinnedNode(), [...how.arguments, 'server/src/main.ts'], { env });

/**
 * Ending `npm start` ends npm and its shell, but shells do not pass that on. A server that nobody can see any more
 * would keep the port, so a lost parent counts as a request to stop.
 */
function endWithParent() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGTERM'), 250).unref();
}
