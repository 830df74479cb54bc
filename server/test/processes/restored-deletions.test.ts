import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createClient } from '@holdfast/contract/src/client.ts';
import { expect, test } from 'vitest';
import { days, hours } from '../../src/lib/clock.ts';
import { goodPassword, signUpAndIn } from '../harness/accounts.ts';
import { type Browser, openBrowser } from '../harness/browser.ts';
import { call } from '../harness/calls.ts';
import { holdfast, holdfastJson } from '../harness/holdfast.ts';
import { newFolder, newPlace } from '../harness/new-place.ts';
import { signUp } from '../harness/sign-ups.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { formWith, sendForm, uploadFile } from '../harness/uploads.ts';
import { storedNames } from '../harness/stored-bytes.ts';

test('credentials, plans, settings and favorites changed after the backup are restored', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const name = await uploadFile(server, ann, 'kept', 'kept.txt');
  await ann.browser.client.setAccountSettings({ body: { inactivity_auto_delete_days: 3 } });
  await ann.browser.client.setKeyInForm({ body: { allowed: true } });
  const bob = openBrowser(server);
  await bob.client.createAccount({
    body: { email: 'bob@example.com', password: goodPassword, password2: goodPassword },
  });
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  server.clock.advance(hours(2));
  await bob.client
    .verifyEmail({ body: { code: await server.mail.newestSecretFor('bob@example.com') } })
    .catch(() => {});
  await holdfast(server, 'account', 'verify', 'bob@example.com');
  await holdfast(server, 'account', 'set-plan', ann.email, 'advanced');
  await ann.browser.client.confirmPassword({ body: { password: goodPassword } });
  const { account_info } = await ann.browser.client.changeApiKey();
  const newPassword = 'Another-Horse-8';
  await ann.browser.client.changePassword({
    body: { old_password: goodPassword, new_password: newPassword, change_api_key: false },
  });
  await ann.browser.client.setAccountSettings({ body: { inactivity_auto_delete_days: 0 } });
  await ann.browser.client.setKeyInForm({ body: { allowed: false } });
  await ann.browser.client.toggleFavorite({ body: { file: name } });
  await holdfast(server, 'backup', backup, '--deletions');

  const place = await newPlace();
  expect(await holdfast(place, 'restore', backup, '--blobs', pool)).toMatchObject({ code: 0, err: '' });
  await using second = await startServer(place.environment);
  const withKey = async (key: string) =>
    (await call(second, '/api/v3/rest/get-account-info', { headers: { 'X-API-Key': key } })).status;
  expect([await withKey(ann.apiKey), await withKey(account_info.new_api_key)]).toEqual([401, 200]);
  const signIn = (email: string, password: string) =>
    openBrowser(second)
      .client.login({ body: { email, password } })
      .then(
        () => 'in',
        (error: unknown) => (error as Error).message,
      );
  const versionIn = ({ context: { db } }: TestServer) =>
    db.selectFrom('accounts').select('password_version').where('email', '=', ann.email).execute();
  // Browsers that were known before the new password must not become known again.
  expect(await versionIn(second)).toEqual(await versionIn(server));
  expect(await signIn(ann.email, goodPassword)).not.toBe('in');
  expect(await signIn(ann.email, newPassword)).toBe('in');
  expect(await signIn('bob@example.com', goodPassword)).toBe('in');
  const client = createClient(fetch, { origin: second.url, apiKey: account_info.new_api_key });
  expect((await client.getAccountInfo()).account.info).toMatchObject({
    level: 'Advanced',
    api_key: account_info.new_api_key,
  });
  const ofAnn = second.context.db.selectFrom('accounts').select('key_in_form').where('email', '=', ann.email);
  expect(await ofAnn.executeTakeFirst()).toEqual({ key_in_form: 0 });
  expect((await client.getAccountSettings()).account.settings.inactivity_auto_delete_days).toBe(0);
  expect((await client.getFileList({ query: {} })).files).toMatchObject([{ name, is_favorite: true }]);
});

test('limits that an account was given after the backup are restored, so Continuous Uploading deletes nothing', async () => {
  const folder = await newFolder();
  const PLANS_FILE = join(folder, 'plans.json');
  await writeFile(PLANS_FILE, JSON.stringify({ free: { space_quota: '1 MB' } }));
  await using server = await startServer({ PLANS_FILE });
  const ann = await signUpAndIn(server);
  await ann.browser.client.setAccountSettings({ body: { continuous_uploading: true } });
  const names = [];
  for (const part of ['a', 'b', 'c']) names.push(await uploadFile(server, ann, part.repeat(300_000)));
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  await holdfast(server, 'account', 'set-limits', ann.email, '--space', '50GB');
  await holdfast(server, 'backup', backup, '--deletions');

  const place = await newPlace();
  expect(await holdfast(place, 'restore', backup, '--blobs', pool)).toMatchObject({ code: 0, err: '' });
  await using second = await startServer({ ...place.environment, PLANS_FILE });
  await uploadFile(second, ann, 'd'.repeat(300_000));
  for (const name of names) expect((await call(second, `/file/${name}`)).status).toBe(200);
  const client = createClient(fetch, { origin: second.url, apiKey: ann.apiKey });
  expect((await client.getAccountInfo()).account.limits.space_quota).toBe(50e9);
});

test('an account that was approved after the backup waits no more, and one that asked since waits', async () => {
  await using server = await startServer({ SIGN_UP: 'approval' });
  const { mail } = server;
  const enterCode = async (browser: Browser, email: string) =>
    browser.client.verifyEmail({ body: { code: await mail.newestSecretFor(email) } });
  const [approved, asking] = ['approved@example.com', 'asking@example.com'];
  await enterCode(await signUp(server, approved), approved);
  const browser = await signUp(server, asking);
  const backup = join(await newFolder(), 'monday');
  await holdfast(server, 'backup', backup);
  expect(await holdfast(server, 'account', 'approve', approved)).toMatchObject({ code: 0 });
  await enterCode(browser, asking);
  await holdfast(server, 'backup', backup, '--deletions');

  const restored = async () => {
    const place = await newPlace();
    expect(await holdfast(place, 'restore', backup)).toMatchObject({ code: 0, err: '' });
    const accounts = await holdfastJson(place, 'account', 'list');
    return accounts.map(({ email, verified, waiting }) => ({ email, verified, waiting }));
  };
  const both = await restored();
  expect(both).toHaveLength(2);
  expect(both).toContainEqual({ email: approved, verified: true, waiting: false });
  expect(both).toContainEqual({ email: asking, verified: false, waiting: true });
  // A list of an earlier version, which had none of these columns.
  const path = join(backup, 'deletions.jsonl.gz');
  const lines = gunzipSync(await readFile(path)).toString();
  const older = lines.replaceAll(
    /,"(key_in_form|needs_approval|asked_at|invitation_id|signed_in_at|own_limits)":(null|\d+|"")/g,
    '',
  );
  expect(older).not.toMatch(/asked_at|own_limits/);
  await writeFile(path, gzipSync(older));
  expect(await restored()).toContainEqual({ email: approved, verified: true, waiting: false });
});

test('bytes discarded after the backup are not copied back and cannot be restored', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const name = await uploadFile(server, ann, 'must be destroyed', 'court.txt');
  const kept = await uploadFile(server, ann, 'kept', 'kept.txt');
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  await holdfast(server, 'file', 'take-down', name, '--case', 'COURT-1');
  expect(await holdfast(server, 'file', 'discard', name, '--yes')).toMatchObject({ code: 0 });
  await holdfast(server, 'backup', backup, '--deletions');
  const place = await newPlace();
  expect(await holdfast(place, 'restore', backup, '--blobs', pool)).toMatchObject({ code: 0, err: '' });
  expect(await holdfast(place, 'fsck', '--scrub')).toMatchObject({ code: 0 });
  expect(await holdfast(place, 'file', 'restore', name)).toMatchObject({ code: 1 });
  await using second = await startServer(place.environment);
  expect((await call(second, `/file/${name}`)).status).toBe(404);
  expect((await call(second, `/file/${kept}`)).text).toBe('kept');
  expect(await storedNames(place)).toHaveLength(1);
  expect((await sendForm(second, ann, formWith('must be destroyed', 'again.txt'))).status).toBe(422);
  // A backup of the restored service contains it too.
  expect(await holdfast(second, 'backup', join(folder, 'tuesday'))).toMatchObject({ code: 0 });
  const third = await newPlace();
  await holdfast(third, 'restore', join(folder, 'tuesday'), '--blobs', pool);
  await using last = await startServer(third.environment);
  expect(await last.context.db.selectFrom('discarded_digests').select('sha256').execute()).toHaveLength(1);
});

test('files withheld after the backup are withheld again, for the same cases, and can be restored', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const down = await uploadFile(server, ann, 'down', 'down.txt');
  const bad = await uploadFile(server, ann, 'bad', 'bad.txt');
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  const late = await signUpAndIn(server);
  await uploadFile(server, late, 'down', 'the same bytes.txt');
  await holdfast(server, 'file', 'take-down', down, '--case', 'C-1');
  await holdfast(server, 'file', 'quarantine', bad, '--because', 'evil');
  await holdfast(server, 'backup', backup, '--deletions');

  const place = await newPlace();
  expect(await holdfast(place, 'restore', backup, '--blobs', pool)).toMatchObject({ code: 0 });
  expect(await holdfast(place, 'fsck')).toMatchObject({ code: 0 });
  expect((await holdfastJson(place, 'account', 'show', ann.email))[0]).toMatchObject({ cases: ['C-1'] });
  await using second = await startServer(place.environment);
  const client = createClient(fetch, { origin: second.url, apiKey: ann.apiKey });
  expect((await client.getFileList({ query: {} })).pagination.total_files).toBe(0);
  const told = ({ context: { db } }: TestServer) =>
    db
      .selectFrom('activity')
      .select(['event', 'name', 'happened_at'])
      .where('name', 'in', [down, bad])
      .orderBy('event')
      .execute();
  expect(await told(second)).toMatchObject([
    { event: 'malware', name: bad },
    { event: 'takedown', name: down },
  ]);
  // The time of the event, and not of the restore.
  expect(await told(second)).toEqual(await told(server));
  for (const name of [down, bad]) expect(await holdfast(place, 'file', 'restore', name)).toMatchObject({ code: 0 });
  expect((await call(second, `/file/${down}`)).text).toBe('down');
  expect((await call(second, `/file/${bad}`)).text).toBe('bad');
});

test('files restored after the backup are restored again, and their case is closed', async () => {
  await using server = await startServer();
  const ann = await signUpAndIn(server);
  const down = await uploadFile(server, ann, 'down', 'down.txt');
  const alarm = await uploadFile(server, ann, 'false alarm', 'alarm.txt');
  const bad = await uploadFile(server, ann, 'bad', 'bad.txt');
  await holdfast(server, 'file', 'take-down', down, '--case', 'C-1');
  for (const name of [alarm, bad]) await holdfast(server, 'file', 'quarantine', name, '--because', 'evil');
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  server.clock.advance(hours(1));
  for (const name of [down, alarm, bad]) await holdfast(server, 'file', 'restore', name);
  // One of them is withheld again.
  await holdfast(server, 'file', 'quarantine', bad, '--because', 'evil after all');
  await holdfast(server, 'backup', backup, '--deletions');

  const place = await newPlace();
  const restored = await holdfast(place, 'restore', backup, '--blobs', pool);
  expect(restored).toMatchObject({ code: 0, err: '' });
  expect(await holdfast(place, 'fsck')).toMatchObject({ code: 0 });
  expect((await holdfastJson(place, 'account', 'show', ann.email))[0]).toMatchObject({ cases: [], slots_used: 2 });
  await using second = await startServer(place.environment);
  expect((await call(second, `/file/${down}`)).text).toBe('down');
  expect((await call(second, `/file/${alarm}`)).text).toBe('false alarm');
  expect((await call(second, `/file/${bad}`)).status).toBe(404);
  const told = second.context.db.selectFrom('activity').select('name').where('event', '=', 'restored');
  expect((await told.execute()).map(({ name }) => name).toSorted()).toEqual([down, alarm].toSorted());
  // Their days of auto-delete start over.
  const back = second.context.db
    .selectFrom('files')
    .select('name')
    .where('returned_at', '>', server.clock.now() - days(1));
  expect((await back.execute()).map(({ name }) => name).toSorted()).toEqual([down, alarm].toSorted());
  // Nothing withholds them again.
  expect(await second.runJob('scan-pending')).toEqual({ cleared: 0, quarantined: 0 });
  const { status } = await sendForm(second, ann, formWith('down', 'again.txt'));
  expect(status).toBe(200);
});

test('bytes restored and then deleted are unblocked after the restore, without any file', async () => {
  await using server = await startServer();
  const [ann, bob, cid] = [await signUpAndIn(server), await signUpAndIn(server), await signUpAndIn(server)];
  const down = await uploadFile(server, ann, 'down', 'down.txt');
  const alarm = await uploadFile(server, bob, 'false alarm', 'alarm.txt');
  const closing = await uploadFile(server, cid, 'closing', 'closing.txt');
  await holdfast(server, 'file', 'take-down', down, '--case', 'C-1');
  for (const name of [alarm, closing]) await holdfast(server, 'file', 'quarantine', name, '--because', 'evil');
  const folder = await newFolder();
  const [backup, pool] = [join(folder, 'monday'), join(folder, 'blobs')];
  await holdfast(server, 'backup', backup, '--blobs', pool);
  for (const name of [down, alarm, closing]) await holdfast(server, 'file', 'restore', name);
  await ann.byKey.deleteFiles({ body: { files: [down] } });
  await bob.byKey.deleteFiles({ body: { files: [alarm] } });
  // Simulates a closed account whose files are still being deleted.
  await server.context.db
    .updateTable('accounts')
    .set({ closed_at: Date.now() })
    .where('email', '=', cid.email)
    .execute();
  await holdfast(server, 'backup', backup, '--deletions');

  const place = await newPlace();
  expect(await holdfast(place, 'restore', backup, '--blobs', pool)).toMatchObject({ code: 0, err: '' });
  expect(await holdfast(place, 'fsck')).toMatchObject({ code: 0, out: expect.stringContaining('all is well') });
  await using second = await startServer(place.environment);
  for (const name of [down, alarm, closing]) expect((await call(second, `/file/${name}`)).status).toBe(404);
  for (const name of [down, alarm])
    expect(await holdfast(place, 'file', 'restore', name)).toMatchObject({
      code: 1,
      err: `'${name}' is neither taken down nor in quarantine.\n`,
    });
  for (const bytes of ['down', 'false alarm', 'closing'])
    expect(await sendForm(second, ann, formWith(bytes, 'again.txt'))).toMatchObject({ status: 200 });
  const { db } = second.context;
  expect(await db.selectFrom('blobs').select('id').where('held_for', 'is not', null).execute()).toEqual([]);
});
