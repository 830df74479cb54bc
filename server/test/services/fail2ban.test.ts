/** The filter of docs/operations.md finds attackers in the log of a server, and fail2ban bans them. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endpoints } from '@holdfast/contract/src/endpoints.ts';
import { expect, test } from 'vitest';
import { goodPassword, signUpAndIn } from '../harness/accounts.ts';
import { call } from '../harness/calls.ts';
import { startServer } from '../harness/start-server.ts';

const run = promisify(execFile);
const page = new URL('../../../docs/operations.md', import.meta.url);

/** The filter and the jail of the page. */
async function documented(): Promise<readonly [string, string]> {
  const [filter, jail] = [...(await readFile(page, 'utf8')).matchAll(/^```ini\n([\s\S]*?)^```$/gm)].map(
    ([, ini]) => ini,
  );
  if (!filter?.includes('failregex') || !jail?.includes('maxretry'))
    throw new Error('docs/operations.md must have a filter and a jail');
  return [filter, jail];
}

/** Writes the log of a server that two addresses attack, and that others use. */
async function attackedLog(folder: string): Promise<string> {
  await using server = await startServer({ TRUST_PROXY: '127.0.0.1' });
  const { email } = await signUpAndIn(server);
  const from = async (address: string, password: string, agent = 'curl') =>
    call(server, endpoints.login.path, {
      method: 'POST',
      body: { email, password },
      headers: { 'X-Forwarded-For': address, 'User-Agent': agent },
    });
  for (let n = 0; n < 15; n += 1) {
    await from('192.0.2.7', 'Wrong-Password-1');
    await call(server, endpoints.getFileList.path, {
      headers: { 'X-Forwarded-For': '2001:db8:1:2:3::4', 'X-API-Key': `hf_${'a'.repeat(46)}` },
    });
  }
  await from('192.0.2.8', 'Wrong-Password-1');
  for (let n = 0; n < 20; n += 1) await from('192.0.2.9', goodPassword);
  const forged = '"},{"event":"sign-in","outcome":"refused","code":"X","client":"203.0.113.1"';
  for (let n = 0; n < 20; n += 1) await from('192.0.2.10', goodPassword, forged);
  const path = join(folder, 'holdfast.log');
  // The test server has its own clock, and fail2ban ignores old lines.
  await writeFile(path, server.log.map((line) => line.replace(/"time":\d+/, `"time":${Date.now()}`)).join(''));
  return path;
}

async function inFolder() {
  const path = await mkdtemp(join(tmpdir(), 'holdfast-fail2ban-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

test('the documented filter matches each failure, and no line that a client forged', async () => {
  await using folder = await inFolder();
  const [filter] = await documented();
  const filterPath = join(folder.path, 'holdfast.conf');
  await writeFile(filterPath, filter);
  const log = await attackedLog(folder.path);
  const { stdout } = await run('fail2ban-regex', ['--print-all-matched', '-o', 'ip', log, filterPath]);
  const addresses = stdout.trim().split('\n').toSorted();
  const counted = Object.entries(Object.groupBy(addresses, (address) => address)).map(([address, all]) => [
    address,
    all?.length,
  ]);
  // The calls with a refused key write five lines a minute.
  expect(Object.fromEntries(counted)).toEqual({ '192.0.2.7': 15, '192.0.2.8': 1, '2001:db8:1:2::/64': 5 });
  // In the journal, a line follows the names of the machine and the program.
  const { stdout: inJournal } = await run('fail2ban-regex', [
    '-o',
    'ip',
    `kelp node[4711]: ${(await readFile(log, 'utf8')).split('\n').find((line) => line.includes('192.0.2.8'))}`,
    filterPath,
  ]);
  expect(inJournal.trim()).toBe('192.0.2.8');
});
