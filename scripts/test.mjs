/** `npm test`: install what is missing, then every check there is. Ends with one line that counts the tests. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureWebBuilt } from './build-web.mjs';
import { ensureInstalled } from './install.mjs';
import { exclusively } from './lock.mjs';
import { root, run } from './run.mjs';

// Many tests start a process of the product: what one has compiled, the next one need not.
process.env.NODE_COMPILE_CACHE = join(root, '.cache', 'compiled');

const bin = (name) => join(root, 'node_modules', '.bin', name);
const reports = join(root, '.cache', `reports-${process.pid}`);

await exclusively(async () => {
  await ensureInstalled({ withDevelopment: true });
  await ensureWebBuilt();
});
mkdirSync(reports, { recursive: true });

const serverTests = 'unit, conformance, behaviour, architecture';
const vitestReport = join(reports, 'vitest.json');
const playwrightReport = join(reports, 'playwright.json');
const steps = [
  { name: 'types', command: bin('tsc'), args: ['--build', '--noEmit', 'tsconfig.json'] },
  { name: 'lint', command: bin('oxlint'), args: ['--type-aware', '--deny-warnings'] },
  { name: 'format', command: bin('oxfmt'), args: ['--check', '.'] },
  { name: 'dead code', command: bin('knip'), args: [] },
  {
    name: serverTests,
    command: bin('vitest'),
    args: ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`],
  },
  {
    name: 'browser',
    command: bin('playwright'),
    args: ['test', '--config', 'e2e/playwright.config.ts', '--reporter=line,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport },
  },
];

/** @type {string[]} */
const failed = [];
for (const { name, command, args, env } of steps) {
  const start = Date.now();
  const code = await run(command, args, { env });
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)\n`);
  if (code !== 0) failed.push(name);
}

const vitest = readReport(vitestReport);
// A program that ends with 0 although tests failed is not believed: the PostgreSQL that tests start sets its exit code.
if (vitest?.success !== true && !failed.includes(serverTests)) failed.push(serverTests);
const playwright = readReport(playwrightReport)?.stats;
const secondTries = playwright?.flaky ?? 0;
// One or two are the machine's; more are somebody's race.
if (secondTries > 2 && !failed.includes('browser')) failed.push('browser');
const passedTests = (vitest?.numPassedTests ?? 0) + (playwright?.expected ?? 0) + secondTries;
const failedTests = (vitest?.numFailedTests ?? 0) + (playwright?.unexpected ?? 0);
rmSync(reports, { recursive: true, force: true });
if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}`);
if (secondTries > 0) console.log(`${secondTries} browser tests needed a second try; they are named above as flaky.`);
console.log(`${passedTests} passed, ${failedTests} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
