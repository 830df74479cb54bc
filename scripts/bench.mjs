/** `npm run bench`: installs what is missing, makes sure that the programs to compare with are there, then measures. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ensureWebBuilt } from './build-web.mjs';
import { ensureInstalled } from './install.mjs';
import { exclusively } from './lock.mjs';
import { pinnedNode, run } from './run.mjs';

const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
const missing = ['nginx', 'wrk', 'openssl', 'curl', 'python3'].filter(
  (program) => !folders.some((folder) => existsSync(join(folder, program))),
);
if (process.platform !== 'linux')
  stop('The benchmark runs on Linux only: it reads /proc and uses loopback addresses freely.');
if (missing.length > 0) stop(`The benchmark also needs ${missing.join(', ')}: apt-get install ${missing.join(' ')}`);

await exclusively(async () => {
  await ensureInstalled({ withDevelopment: true });
  await ensureWebBuilt();
});
process.exitCode = await run(pinnedNode(), ['bench/run.ts', ...process.argv.slice(2)]);

function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}
