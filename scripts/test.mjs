/**
 * `npm test` is the gate of every change: what passes it can be merged. `npm run test:all` adds the other tests of this
 * repository: behavior on PostgreSQL and S3, processes that are killed, other programs around Holdfast, and the browser's
 * details and faults. Both install what is missing first and end with the slowest files, the seeds of failed property tests,
 * and one line that counts the tests. `npm test -- FILE…` runs some files of the server's, the web app's or the labs' tests.
 */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureWebBuilt } from './build-web.mjs';
import { ensurePrograms } from './install-programs.mjs';
import { ensureInstalled } from './install.mjs';
import { exclusively } from './lock.mjs';
import { readBrowserReport, readServerReport } from './read-reports.mjs';
import { root, run } from './run.mjs';

// Many tests start a process of the product; each reuses the code that an earlier one has compiled.
process.env.NODE_COMPILE_CACHE = join(root, '.cache', 'compiled');

const all = process.argv[2] === '--all';
const named = all ? [] : process.argv.slice(2);
const checks = [
  { name: 'types and lint', command: 'oxlint', args: ['--type-aware', '--type-check', '--deny-warnings'] },
  { name: 'format', command: 'oxfmt', args: ['--check', '.'] },
  { name: 'dead code', command: 'knip', args: [] },
];
const serverProjects = ['unit and conformance', 'behavior on sqlite', 'databases on postgres'];
const browserProjects = ['screens and journeys'];
if (all) {
  serverProjects.push('long on sqlite', 'long on postgres', 'behavior on postgres and S3');
  serverProjects.push('databases on postgres through PgBouncer');
  serverProjects.push('processes on sqlite', 'processes on postgres', 'services');
  browserProjects.push('details of screens', 'details, faults and sweeps');
}
/** Programs and packages that only the tests of `test:all` need. */
const programs = (
  'nginx caddy jq shellcheck sudo uuidgen curl wget aria2c openssl clamd promtool fail2ban-server javac ' +
  'pgbouncer radosgw ceph-osd ceph-mon zsh fish gradle mvn ' +
  '/usr/share/maven-repo/org/codehaus/mojo/exec-maven-plugin /usr/lib/python3/dist-packages/tusclient'
).split(' ');

const bin = (name) => join(root, 'node_modules', '.bin', name);
const reports = join(root, '.cache', `reports-${process.pid}`);
const reportOf = (name) => join(reports, `${name}.json`);
const projects = (names) => names.flatMap((name) => ['--project', name]);
/** @type {Set<string>} */
const failed = new Set();

await exclusively(async () => {
  await ensureInstalled({ withDevelopment: true });
  await ensureWebBuilt();
  if (all) await ensurePrograms(programs);
});
if (named.length > 0) process.exit(await run(bin('vitest'), ['run', ...named]));
mkdirSync(reports, { recursive: true });

const serverArgs = [...projects(serverProjects), '--reporter=default', '--reporter=json'];
const browserCheck = {
  name: 'browser',
  command: 'playwright',
  args: ['test', '--config', 'e2e/playwright.config.ts', ...projects(browserProjects), '--reporter=line,json'],
  env: { PLAYWRIGHT_JSON_OUTPUT_NAME: reportOf('browser') },
};
// Each kind of tests leaves a quarter of two cores idle.
await Promise.all([
  Promise.all(checks.map(runCheck)).then(() => runCheck(browserCheck)),
  runStep('server', bin('vitest'), ['run', ...serverArgs, `--outputFile.json=${reportOf('server')}`]),
]);

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

/** They run side by side, so the output of each one is kept until it ends. */
async function runCheck({ name, command, args, env }) {
  const path = join(reports, `${name}.txt`);
  const output = openSync(path, 'w');
  await runStep(name, bin(command), args, { env, stdio: ['ignore', output, output] }, () => readFileSync(path, 'utf8'));
  closeSync(output);
}

async function runStep(name, command, args, options, readOutput = () => '') {
  const start = Date.now();
  const code = await run(command, args, options);
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  console.log(`${readOutput()}${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`);
  if (code !== 0) failed.add(name);
}
