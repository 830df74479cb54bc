/** `npm run soak -- --minutes N`: installs what is missing, then runs the real process under load and faults. */
import { ensureWebBuilt } from './build-web.mjs';
import { ensureInstalled } from './install.mjs';
import { exclusively } from './lock.mjs';
import { pinnedNode, run } from './run.mjs';

await exclusively(async () => {
  await ensureInstalled({ withDevelopment: true });
  await ensureWebBuilt();
});
process.exitCode = await run(pinnedNode(), ['server/test/soak/soak.ts', ...process.argv.slice(2)]);
