import { expect } from 'vitest';
import { call } from '../harness/calls.ts';
import { shareServer } from '../harness/server-test.ts';
import { download, formWith, sendForm, sha256, storedNameOf } from '../harness/uploads.ts';

const { server, test } = await shareServer();

/** The links have the port of the settings. */
const pathOf = (link: string) => new URL(link).pathname;

test('the link shows what its button deletes, and its owner can restore it', async ({ account }) => {
  const { url, deletion_url: link } = await sendForm(server, account, formWith('hello', '<b>kelp</b>.txt'));
  const name = storedNameOf(url);
  const shown = await call(server, pathOf(link));
  expect(shown.text).toContain('Delete b&gt;.txt?');
  expect(shown.text).toContain('5 bytes');
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
    'referrer-policy': 'no-referrer',
    'content-security-policy': expect.stringMatching(/form-action 'self'; frame-ancestors 'none'$/),
  });
  for (const method of ['GET', 'HEAD']) await call(server, pathOf(link), { method });
  expect(await download(server, name)).toBe(sha256('hello'));
  // Without a session, as the form of the page sends it.
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' };
  const pressed = await call(server, pathOf(link), { method: 'POST', body: '', headers });
  expect([pressed.status, pressed.text]).toEqual([200, expect.stringContaining('File deleted')]);
  expect(await download(server, name)).toBe(404);
  expect((await account.byKey.getAccountInfo()).account.usage).toEqual({ space_used: 0, slots_used: 0 });
  for (const method of ['GET', 'POST'])
    expect(await call(server, pathOf(link), { method })).toMatchObject({ status: 404 });
  expect(await account.byKey.restoreFiles({ body: { files: [name] } })).toEqual({ restored: [name] });
  expect((await call(server, pathOf(link))).status).toBe(200);
});

test('a link deletes no other file', async ({ account }) => {
  const one = await sendForm(server, account, formWith('one'));
  const other = await sendForm(server, account, formWith('other'));
  const path = pathOf(one.deletion_url).replace(storedNameOf(one.url), storedNameOf(other.url));
  for (const wrong of [path, `${pathOf(other.deletion_url)}x`, pathOf(other.deletion_url).slice(0, -1)])
    expect(await call(server, wrong, { method: 'POST' })).toMatchObject({ status: 404 });
  expect(await download(server, storedNameOf(other.url))).toBe(sha256('other'));
});

test('the file of a closed account is not shown', async ({ account }) => {
  const { deletion_url: link } = await sendForm(server, account, formWith('hello'));
  await account.browser.client.deleteAccount();
  for (const method of ['GET', 'POST'])
    expect(await call(server, pathOf(link), { method })).toMatchObject({ status: 404 });
});
