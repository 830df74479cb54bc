/**
 * `npm test` is the gate of every change: what passes it can be merged. `npm run test:rest` runs the remaining tests of
 * this repository: those that measure time, the behavior suite on PostgreSQL, processes that are killed, commands in
 * their own process, and the browser sweeps. Both install what is missing first and end with the slowest files, the
 * seeds of failed property tests, and one line that counts the tests.
 */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureWebBuilt } from './build-web.mjs';
import { ensureInstalled } from './install.mjs';
import { exclusively } from './lock.mjs';
import { readBrowserReport, readServerReport } from './read-reports.mjs';
import { root, run } from './run.mjs';

// Many tests start a process of the product; each reuses the code that an earlier one has compiled.
process.env.NODE_COMPILE_CACHE = join(root, '.cache', 'compiled');

const tiers = {
  guard: {
    checks: [
      { name: 'types', command: 'tsc', args: ['--build', '--noEmit', 'tsconfig.json'] },
      { name: 'lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
      { name: 'format', command: 'oxfmt', args: ['--check', '.'] },
      { name: 'dead code', command: 'knip', args: [] },
    ],
    server: ['unit and conformance', 'behavior on sqlite', 'databases on postgres'],
    browser: ['screens and journeys'],
  },
  rest: {
    checks: [],
    server: [
      'timed units',
      'timed on sqlite',
      'timed on postgres',
      'behavior on postgres',
      'processes on sqlite',
      'processes on postgres',
    ],
    browser: ['details, faults and sweeps'],
  },
};
const tier = tiers[process.argv[2] ?? 'guard'];

const bin = (name) => join(root, 'node_modules', '.bin', name);
const reports = join(root, '.cache', `reports-${process.pid}`);
const reportOf = (name) => join(reports, `${name}.json`);
const projects = (names) => names.flatMap((name) => ['--project', name]);
/** @type {Set<string>} */
const failed = new Set();

await exclusively(async () => {
  await ensureInstalled({ withDevelopment: true });
  await ensureWebBuilt();
});
mkdirSync(reports, { recursive: true });

await Promise.all(tier.checks.map(runCheck));
await runStep('server', bin('vitest'), [
  'run',
  ...projects(tier.server),
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${reportOf('server')}`,
]);
await runStep(
  'browser',
  bin('playwright'),
  ['test', '--config', 'e2e/playwright.config.ts', ...projects(tier.browser), '--reporter=line,json'],
  { env: { PLAYWRIGHT_JSON_OUTPUT_NAME: reportOf('browser') } },
);

const server = readServerReport(reportOf('server'));
const browser = readBrowserReport(reportOf('browser'));
rmSync(reports, { recursive: true, force: true });
// Exit code 0 alone is not trusted: a run that wrote no report has not proved anything.
if (!server?.succeeded) failed.add('server');
if (!browser?.succeeded) failed.add('browser');
const ran = [server, browser].filter(Boolean);
printList('Slowest files:', slowest(10));
printList(
  'Seeds of failed property tests:',
  ran.flatMap(({ seeds }) => seeds),
);
if (failed.size > 0) console.log(`Failed: ${[...failed].join(', ')}`);
console.log(`${count('passed')} passed, ${count('failed')} failed`);
process.exitCode = failed.size > 0 ? 1 : 0;

function slowest(number) {
  const files = ran.flatMap((report) => report.files).toSorted((a, b) => b.seconds - a.seconds);
  return files.slice(0, number).map(({ path, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${path}`);
}

function printList(title, lines) {
  if (lines.length > 0) console.log(`${[title, ...lines].join('\n')}\n`);
}

function count(outcome) {
  return ran.reduce((sum, report) => sum + report[outcome], 0);
}

/** The checks run side by side, so the output of each one is kept until it ends. */
async function runCheck({ name, command, args }) {
  const path = join(reports, `${command}.txt`);
  const output = openSync(path, 'w');
  await runStep(name, bin(command), args, { stdio: ['ignore', output, output] }, () => readFileSync(path, 'utf8'));
  closeSync(output);
}

async function runStep(name, command, args, options, readOutput = () => '') {
  const start = Date.now();
  const code = await run(command, args, options);
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  console.log(`${readOutput()}${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`);
  if (code !== 0) failed.add(name);
}
