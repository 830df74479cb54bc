/** A real server whose system clock is set while it runs; libfaketime gives it that clock. */
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/read-environment.ts';
import { openContext } from '../../src/context.ts';
import { days, hours, minutes, seconds } from '../../src/lib/clock.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { newFolder } from '../harness/new-place.ts';
import { startServerProcess } from '../harness/server-process.ts';
import { formWith } from '../harness/uploads.ts';

/** Fewer files than may be deleted before an alarm. */
const files = 96;

/** A clock that a test can set while a process uses it. The monotonic clock is the real one. */
async function openSetClock() {
  const file = join(await newFolder(), 'clock');
  const set = (ms: number) => writeFileSync(file, `${ms < 0 ? '-' : '+'}${Math.abs(ms) / 1000}`);
  set(0);
  const [library] = globSync('/usr/lib/*/faketime/libfaketime.so.1');
  if (library === undefined) throw new Error('libfaketime is not installed');
  const environment = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  return { set, environment };
}

/**
 * Calls from an address as often as may be at once in two rounds: reads by session and by key, and an upload. Returns
 * the link of the upload.
 */
async function use(url: string, ann: SignedIn, address: string): Promise<string> {
  for (let call = 0; call < 3; call += 1) {
    await ann.browser.client.getAccountInfo();
    await ann.browser.client.getSessions();
  }
  const headers = { 'X-API-Key': ann.apiKey, 'X-Forwarded-For': address };
  expect((await fetch(`${url}/api/v3/rest/get-file-list`, { headers })).status).toBe(200);
  return upload(url, ann, address);
}

async function upload(url: string, { apiKey }: SignedIn, address: string): Promise<string> {
  const headers = { 'X-API-Key': apiKey, 'X-Forwarded-For': address };
  const answer = await fetch(`${url}/api/v3/upload`, { method: 'POST', headers, body: formWith(`text of ${address}`) });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { url: string }).url;
}

/** A server looks every 30 seconds which jobs are due, and begins them within another 30. */
const untilJobsRan = seconds(65);

test(
  'a clock set an hour back, a year ahead and back again refuses no call and deletes nothing',
  { timeout: minutes(4) },
  async () => {
    const settings = { DATA_DIR: await newFolder(), TRUST_PROXY: '127.0.0.1' };
    const clock = await openSetClock();
    await using server = await startServerProcess({ ...settings, ...clock.environment });
    const url = await server.listening;
    const config = readConfig({ ...settings, PORT: new URL(url).port });
    await using context = await openContext(config, pino({ enabled: false }));
    const mail = { newestSecretFor: () => Promise.reject(new Error('no email is read here')) };
    const ann = await signUpAndIn({ url, mail, context }, { plan: 'power' });
    await ann.browser.client.setAccountSettings({ body: { inactivity_auto_delete_days: 7 } });
    const links = [];
    for (let file = 0; file < files; file += 1) links.push(await upload(url, ann, `192.0.2.${file}`));

    for (const [step, to] of [-hours(1), 0, days(366)].entries()) {
      const address = `198.51.100.${step}`;
      await use(url, ann, address);
      clock.set(to);
      links.push(await use(url, ann, address));
    }
    await setTimeout(untilJobsRan);
    expect(server.log.join()).toContain('ALARM: the clock jumped');
    links.push(await use(url, ann, '198.51.100.4'));
    clock.set(0);
    links.push(await use(url, ann, '198.51.100.4'));

    const here = links.map((link) => url + new URL(link).pathname);
    expect(await Promise.all(here.map(async (link) => (await fetch(link)).status))).toEqual(links.map(() => 200));
    // The hourly job would have ended it.
    expect(await context.db.selectFrom('sessions').selectAll().execute()).toHaveLength(1);
  },
);
