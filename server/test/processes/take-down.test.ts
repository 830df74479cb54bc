/** Takedowns and their reversal, by the operator's command beside a running server. */
import { expect, test } from 'vitest';
import { findBytes } from '../../src/moderation/find-file.ts';
import { takeDown } from '../../src/moderation/take-down.ts';
import { goodPassword, type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { beforeTransactions } from '../harness/before-transactions.ts';
import { call } from '../harness/calls.ts';
import { holdfast, holdfastJson } from '../harness/holdfast.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { formWith, sendForm, sha256, uploadFile } from '../harness/uploads.ts';
import { storedNames } from '../harness/stored-bytes.ts';

const statusOf = async (server: TestServer, name: string) => (await call(server, `/file/${name}`)).status;
const usageOf = async ({ browser }: SignedIn) => (await browser.client.getAccountInfo()).account.usage;
const activityOf = async ({ browser }: SignedIn) => (await browser.client.getActivity({ query: {} })).activity;

/** The command's own clock is a little ahead of the server's, which does not advance. */
async function subjectsTo(server: TestServer, { email }: SignedIn): Promise<string[]> {
  server.clock.advance(60_000);
  return (await server.mail.emails()).filter(({ to }) => to === email).map(({ subject }) => subject);
}

async function textTo(server: TestServer, { email }: SignedIn): Promise<string> {
  return (await server.mail.emails()).findLast(({ to }) => to === email)?.text ?? '';
}

/** Two people with the same bytes, one of them twice, and one file of other bytes. */
async function sharedBytes(server: TestServer) {
  const [ada, bob] = [await signUpAndIn(server), await signUpAndIn(server)];
  const names = [
    await uploadFile(server, ada, 'a song', 'song.mp3'),
    await uploadFile(server, ada, 'a song', 'copy.mp3'),
    await uploadFile(server, bob, 'a song', 'mine.mp3'),
  ] as const;
  const other = await uploadFile(server, ada, 'her own', 'own.txt');
  return { ada, bob, names, other };
}

test('a takedown removes every file of the same bytes at once, and no others', async () => {
  await using server = await startServer({
    PUBLIC_URL: 'http://app.test',
    FILE_ORIGINS: 'http://one.test,http://two.test',
  });
  const { ada, bob, names, other } = await sharedBytes(server);
  for (const name of names) expect(await statusOf(server, name)).not.toBe(404);
  const dry = await holdfastJson(server, 'file', 'take-down', names[0], '--case', 'DMCA-17', '--dry-run');
  expect(dry).toEqual([{ sha256: sha256('a song'), case: 'DMCA-17', files: 3, accounts: 2, dry_run: true }]);
  for (const name of names) expect(await statusOf(server, name)).toBe(200);
  const link = `https://one.test/file/${names[0]}.mp3`;
  const [done] = await holdfastJson(server, 'file', 'take-down', link, '--case', 'DMCA-17');
  expect(done).toMatchObject({ files: 3, accounts: 2, dry_run: false });
  for (const name of names) {
    expect(await statusOf(server, name)).toBe(404);
    expect(await statusOf(server, `${name}.mp3`)).toBe(404);
    expect(await statusOf(server, `${name}.sha256`)).toBe(404);
  }
  expect(await statusOf(server, other)).toBe(200);
  expect(await usageOf(ada)).toMatchObject({ slots_used: 1 });
  expect(await usageOf(bob)).toMatchObject({ slots_used: 0 });
  expect(await sendForm(server, bob, formWith('a song', 'again.mp3'))).toMatchObject({ status: 422, success: false });
  expect(await subjectsTo(server, bob)).toContain('A file of your Holdfast account was taken down');
  expect(await subjectsTo(server, ada)).toContain('2 files of your Holdfast account were taken down');
  const email = await textTo(server, bob);
  for (const words of ['mine.mp3', 'DMCA-17', 'counter-notification', 'http://app.test/dmca-policy#'])
    expect(email).toContain(words);
  expect(await activityOf(bob)).toMatchObject([{ event: 'takedown', name: names[2], original_name: 'mine.mp3' }]);
  expect(await holdfastJson(server, 'fsck')).toMatchObject([{ summary: { findings: 0 } }]);
});

test('a repeated case has no effect, another case is recorded, and both count', async () => {
  await using server = await startServer();
  const { ada, bob, names } = await sharedBytes(server);
  await holdfastJson(server, 'file', 'take-down', names[0], '--case', 'A');
  server.clock.advance(60_000);
  const emails = (await server.mail.emails()).length;
  expect(await holdfastJson(server, 'file', 'take-down', names[0], '--case', 'A')).toMatchObject([{ files: 0 }]);
  expect(await holdfastJson(server, 'account', 'show', ada.email)).toMatchObject([{ takedowns: 1, cases: ['A'] }]);
  expect(await holdfast(server, 'file', 'take-down', sha256('a song'), '--case', 'B')).toMatchObject({
    code: 0,
    out: 'No live file has these bytes; the case B is recorded.\n',
  });
  server.clock.advance(60_000);
  expect((await server.mail.emails()).length).toBe(emails);
  expect(await holdfastJson(server, 'account', 'show', bob.email)).toMatchObject([{ takedowns: 2 }]);
  const repeated = await holdfastJson(server, 'account', 'list', '--repeat-infringers', '2');
  expect(new Set(repeated.map(({ email }) => email))).toEqual(new Set([ada.email, bob.email]));
  expect(await holdfastJson(server, 'account', 'list', '--repeat-infringers', '3')).toEqual([]);
  expect(await holdfastJson(server, 'stats')).toMatchObject([
    { takedowns: { open_cases: 2, accounts: 2, repeat_infringers: 2 } },
  ]);
  const [shown] = await holdfastJson(server, 'file', 'show', names[2]);
  expect(shown).toMatchObject({ blocked: true, live_files: 0, held_by: ['the case A', 'the case B'] });
});

test('after a counter-notice the files are restored unchanged', async () => {
  await using server = await startServer();
  const { ada, bob, names } = await sharedBytes(server);
  await ada.browser.client.toggleFavorite({ body: { file: names[0] } });
  await server.context.db.updateTable('files').set({ hits: 7 }).where('name', '=', names[0]).execute();
  const before = await ada.browser.client.getFileList({ query: {} });
  await holdfastJson(server, 'file', 'take-down', names[0], '--case', 'A');
  // Long after the grace period of deleted bytes: held bytes are kept.
  server.clock.advance(40 * 24 * 3600 * 1000);
  await ada.browser.client.login({ body: { email: ada.email, password: goodPassword } });
  await bob.browser.client.login({ body: { email: bob.email, password: goodPassword } });
  const restored = await holdfastJson(server, 'file', 'restore', names[0]);
  expect(restored).toMatchObject([{ sha256: sha256('a song'), still_held_by: [] }]);
  expect((await ada.browser.client.getFileList({ query: {} })).files).toEqual(before.files);
  for (const name of names) expect(await statusOf(server, name)).toBe(200);
  expect(await usageOf(ada)).toMatchObject({ slots_used: 3, space_used: 19 });
  expect(await activityOf(bob)).toMatchObject([{ event: 'restored' }, { event: 'takedown' }]);
  expect(await subjectsTo(server, bob)).toContain('A file of your Holdfast account is back');
  expect(await holdfastJson(server, 'account', 'show', bob.email)).toMatchObject([{ takedowns: 0 }]);
  expect(await sendForm(server, bob, formWith('a song', 'again.mp3'))).toMatchObject({ success: true });
  expect(await holdfastJson(server, 'fsck')).toMatchObject([{ summary: { findings: 0 } }]);
  expect(await holdfast(server, 'file', 'restore', names[0])).toMatchObject({
    code: 1,
    err: `'${names[0]}' is neither taken down nor in quarantine.\n`,
  });
});

test('the name of a purged file still identifies its bytes for takedowns and restores', async () => {
  await using server = await startServer();
  const [ada, bob] = [await signUpAndIn(server), await signUpAndIn(server)];
  const old = await uploadFile(server, ada, 'a song', 'song.mp3');
  await ada.browser.client.deleteFiles({ body: { files: [old] } });
  server.clock.advance(2 * 24 * 3600 * 1000);
  expect(await server.runJob('purge')).toMatchObject({ blobs: 1 });
  const again = await uploadFile(server, bob, 'a song', 'mine.mp3');
  expect(await holdfastJson(server, 'file', 'show', old)).toMatchObject([{ live_files: 1, blob: { used_by: 1 } }]);
  const dry = await holdfastJson(server, 'file', 'take-down', old, '--case', 'A', '--dry-run');
  expect(dry).toMatchObject([{ files: 1, accounts: 1 }]);
  expect(await holdfastJson(server, 'file', 'take-down', old, '--case', 'A')).toMatchObject([
    { files: 1, accounts: 1 },
  ]);
  expect(await holdfastJson(server, 'audit', '--case', 'A')).toMatchObject([{ details: { files: 1, accounts: 1 } }]);
  expect(await statusOf(server, again)).toBe(404);
  expect(await holdfastJson(server, 'file', 'show', old)).toMatchObject([{ live_files: 0, held_by: ['the case A'] }]);
  expect(await holdfast(server, 'file', 'restore', old, '--case', 'A')).toMatchObject({ code: 0 });
  expect([await statusOf(server, old), await statusOf(server, again)]).toEqual([404, 200]);
  const by = ['--because', 'abuse.example'];
  expect(await holdfastJson(server, 'file', 'quarantine', old, ...by, '--dry-run')).toMatchObject([{ files: 1 }]);
  expect(await holdfastJson(server, 'file', 'quarantine', old, ...by)).toMatchObject([{ files: 1, accounts: 1 }]);
  expect(await holdfastJson(server, 'audit', '--action', 'file quarantine')).toMatchObject([{ details: { files: 1 } }]);
  expect(await holdfastJson(server, 'file', 'discard', old, '--yes')).toEqual([{ sha256: sha256('a song'), size: 6 }]);
  expect(await storedNames(server)).toEqual([]);
});

test('files held by another case too are restored only after that case is closed', async () => {
  await using server = await startServer();
  const { names } = await sharedBytes(server);
  for (const reference of ['A', 'B']) await holdfastJson(server, 'file', 'take-down', names[0], '--case', reference);
  expect(await holdfast(server, 'file', 'restore', names[0])).toMatchObject({
    code: 1,
    err: expect.stringContaining('is held by the case A and the case B'),
  });
  const first = await holdfastJson(server, 'file', 'restore', '--case', 'A', '--yes');
  expect(first).toMatchObject([{ sha256: sha256('a song'), accounts: [], still_held_by: ['the case B'] }]);
  expect(await statusOf(server, names[0])).toBe(404);
  await holdfastJson(server, 'file', 'restore', '--case', 'B', '--yes');
  for (const name of names) expect(await statusOf(server, name)).toBe(200);
});

test('a restoration of a whole case says what it makes public, and asks', async () => {
  await using server = await startServer();
  const { names } = await sharedBytes(server);
  await holdfastJson(server, 'file', 'take-down', names[0], '--case', 'A');
  expect(await holdfast(server, 'file', 'restore', '--case', 'A')).toEqual({
    code: 2,
    out: '',
    err: 'This ends the case A and makes 3 files of 2 accounts public again. There is no terminal to ask on: add --yes to continue.\n',
  });
  for (const name of names) expect(await statusOf(server, name)).toBe(404);
  await holdfastJson(server, 'file', 'restore', '--case', 'A', '--yes');
  for (const name of names) expect(await statusOf(server, name)).toBe(200);
});

test('bytes that a purge has begun to remove are never restored', async () => {
  await using server = await startServer();
  const { ada, bob, names } = await sharedBytes(server);
  await holdfast(server, 'file', 'take-down', names[0], '--case', 'A');
  const { db } = server.context;
  await db.updateTable('accounts').set({ space_used: 500_000_000 }).where('email', '=', ada.email).execute();
  expect((await holdfast(server, 'file', 'restore', names[0])).code).toBe(1);
  await bob.browser.client.deleteFiles({ body: { files: [names[2]] } });
  // The rows are deleted before the bytes, and the process may die in between.
  await db.deleteFrom('blobs').where('sha256', '=', sha256('a song')).execute();
  for (const more of [[], ['--case', 'A']]) {
    const { code, out, err } = await holdfast(server, 'file', 'restore', names[0], '--over-quota', ...more);
    expect({ code, said: out + err }).toEqual({ code: 1, said: expect.stringContaining('permanently deleted') });
  }
  expect(await statusOf(server, names[0])).toBe(404);
  const live = await db.selectFrom('files').select('name').where('deleted_at', 'is', null).execute();
  expect(live.map(({ name }) => name)).not.toContain(names[0]);
});

test('an account without enough quota gets no files back unless the operator allows it', async () => {
  await using server = await startServer();
  const { ada, bob, names } = await sharedBytes(server);
  await holdfastJson(server, 'file', 'take-down', names[0], '--case', 'A');
  // One slot is left, and two files would come back.
  const full = { slots_used: 499 };
  await server.context.db.updateTable('accounts').set(full).where('email', '=', ada.email).execute();
  const { code, out } = await holdfast(server, 'file', 'restore', '--case', 'A', '--yes');
  expect(code).toBe(1);
  expect(out).toContain(`${ada.email}: nothing restored, its plan has too little quota`);
  expect(out).toContain(`${bob.email}: 1 file restored.`);
  expect([await statusOf(server, names[0]), await statusOf(server, names[2])]).toEqual([404, 200]);
  const [again] = await holdfastJson(server, 'file', 'restore', names[0], '--over-quota');
  expect(again).toMatchObject({ accounts: [{ account: ada.email, files: 2, outcome: 'restored' }] });
  expect(await statusOf(server, names[0])).toBe(200);
});

// `file restore` alone must find why the bytes were withheld, even when nothing holds them any more.
test.each([
  ['a takedown', ['take-down', '--case', 'A'], ['--case', 'A']],
  ['a takedown that is not named', ['take-down', '--case', 'A'], []],
  ['a quarantine', ['quarantine', '--because', 'abuse.example'], ['--quarantine']],
  ['a quarantine that is not named', ['quarantine', '--because', 'abuse.example'], []],
])('a file that waited for quota after %s is restored under its name', async (_, [verb = '', ...why], over) => {
  await using server = await startServer();
  const { ada, names } = await sharedBytes(server);
  const { db } = server.context;
  await holdfastJson(server, 'file', verb, names[0], ...why);
  server.clock.advance(2 * 24 * 3600 * 1000);
  await db.updateTable('accounts').set({ slots_used: 500 }).where('email', '=', ada.email).execute();
  const early = await holdfast(server, 'file', 'restore', names[0], ...over);
  expect(early).toMatchObject({
    code: 1,
    out: expect.stringContaining('too little quota. Repeat the command with --over-quota to restore them anyway.'),
  });
  for (let hour = 0; hour < 3; hour += 1) expect(await server.runJob('purge')).toMatchObject({ names: 0 });
  expect(await holdfast(server, 'file', 'restore', names[0], ...over, '--over-quota')).toMatchObject({
    code: 0,
    out: `${ada.email}: 2 files restored.\n`,
  });
  await ada.browser.client.login({ body: { email: ada.email, password: goodPassword } });
  const found = await ada.browser.client.getFileList({ query: { search: 'song' } });
  expect(found.files).toMatchObject([{ name: names[0] }]);
  const { headers } = await call(server, `/file/${names[0]}`);
  expect(headers.get('content-disposition')).toContain('song.mp3');
  expect(await holdfast(server, 'file', 'restore', names[0])).toMatchObject({
    code: 1,
    err: `'${names[0]}' is neither taken down nor in quarantine.\n`,
  });
});

test('files of a closed account and deleted files are not restored, and those without bytes wait for an upload', async () => {
  await using server = await startServer();
  const { ada, bob, names } = await sharedBytes(server);
  await ada.browser.client.deleteFiles({ body: { files: [names[1]] } });
  await holdfastJson(server, 'file', 'take-down', names[0], '--case', 'A');
  await holdfastJson(server, 'account', 'delete', bob.email, '--yes');
  const { code, out } = await holdfast(server, 'file', 'restore', names[2]);
  expect(code).toBe(1);
  expect(out).toContain(`${bob.email}: nothing restored, the account is closed.`);
  expect(out).toContain(`${ada.email}: 1 file restored.`);
  expect(await statusOf(server, names[1])).toBe(404);
  await holdfastJson(server, 'file', 'take-down', names[0], '--case', 'C');
  const { blobs, db } = server.context;
  const { id } = await db
    .selectFrom('blobs')
    .select('id')
    .where('sha256', '=', sha256('a song'))
    .executeTakeFirstOrThrow();
  await blobs.remove(id);
  const ended = await holdfast(server, 'file', 'restore', names[0], '--case', 'C');
  expect(ended.code).toBe(1);
  // The accounts are in either order.
  expect(ended.out).toContain(`${ada.email}: 1 file restored.`);
  expect(ended.out).toMatch(/\nIts bytes are missing from the storage\..*\n$/);
  expect(await statusOf(server, names[0])).toBe(500);
  expect(await holdfastJson(server, 'file', 'show', names[0])).toMatchObject([{ blocked: false, held_by: [] }]);
  await uploadFile(server, ada, 'a song');
  expect(await statusOf(server, names[0])).toBe(200);
});

// The first transaction records the case, the second holds and blocks the bytes, and each later one handles one
// account.
test.each([2, 3, 4])('a takedown killed before its transaction %i is finished automatically', async (dies) => {
  await using server = await startServer();
  const { ada, bob, names } = await sharedBytes(server);
  let transactions = 0;
  const db = beforeTransactions(server.context.db, async () => {
    if ((transactions += 1) === dies) throw new Error('killed');
  });
  const actor = { operator: 'ada', action: 'file take-down' };
  const bytes = await findBytes(server.context, names[0]);
  const killed = takeDown({ ...server.context, db }, actor, bytes, 'A');
  await expect(killed).rejects.toThrow('killed');
  expect(await server.runJob('scan-pending')).toMatchObject({ quarantined: 0, taken_down: expect.any(Number) });
  for (const name of names) expect(await statusOf(server, name)).toBe(404);
  expect(await sendForm(server, bob, formWith('a song', 'again.mp3'))).toMatchObject({ status: 422 });
  for (const person of [ada, bob]) {
    expect(await holdfastJson(server, 'account', 'show', person.email)).toMatchObject([{ cases: ['A'] }]);
    expect((await subjectsTo(server, person)).filter((subject) => subject.includes('taken down'))).toHaveLength(1);
  }
  expect(await server.runJob('scan-pending')).toEqual({ cleared: 0, quarantined: 0 });
});

test('an operator can discard withheld bytes, which cannot be uploaded again', async () => {
  await using server = await startServer();
  const { ada, names, other } = await sharedBytes(server);
  expect(await holdfast(server, 'file', 'discard', other, '--yes')).toEqual({
    code: 1,
    out: '',
    err: `'${other}' is neither taken down nor in quarantine.\n`,
  });
  await holdfastJson(server, 'file', 'take-down', names[0], '--case', 'A');
  expect(await holdfast(server, 'file', 'discard', names[0])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--yes'),
  });
  expect(await holdfastJson(server, 'file', 'discard', names[0], '--yes')).toEqual([
    { sha256: sha256('a song'), size: 6 },
  ]);
  expect(await storedNames(server)).toHaveLength(1);
  expect(await holdfast(server, 'file', 'discard', '--yes', names[0])).toMatchObject({
    code: 1,
    err: `The bytes of '${names[0]}' were permanently deleted and cannot be restored.\n`,
  });
  expect((await sendForm(server, ada, formWith('a song', 'again.mp3'))).status).toBe(422);
  expect(await holdfastJson(server, 'account', 'show', ada.email)).toMatchObject([{ cases: ['A'] }]);
  expect(await holdfastJson(server, 'audit', '--action', 'file discard')).toMatchObject([
    { subject: names[0], details: { sha256: sha256('a song'), size: 6, held_for: 'takedown' } },
  ]);
  expect(await holdfastJson(server, 'fsck')).toMatchObject([{ summary: { findings: 0 } }]);
});

const holds = [
  ['take-down', '--case', 'A'],
  ['quarantine', '--because', 'abuse.example'],
] as const;

test.each(holds)('a %s of bytes without a live file is undone, and the bytes are purged', async (verb, ...why) => {
  await using server = await startServer();
  const [ada, bob] = [await signUpAndIn(server), await signUpAndIn(server)];
  const name = await uploadFile(server, ada, 'a song', 'song.mp3');
  await ada.browser.client.deleteFiles({ body: { files: [name] } });
  await holdfastJson(server, 'file', verb, name, ...why);
  expect((await sendForm(server, bob, formWith('a song', 'mine.mp3'))).status).toBe(422);
  const [dry] = await holdfastJson(server, 'file', 'restore', name, '--dry-run');
  expect(dry).toMatchObject({ ended: true, dry_run: true });
  expect((await sendForm(server, bob, formWith('a song', 'mine.mp3'))).status).toBe(422);
  expect(await holdfast(server, 'file', 'restore', name)).toMatchObject({
    code: 0,
    out: `${sha256('a song')} is held by nothing any more and can be uploaded again.\n`,
  });
  expect(await holdfastJson(server, 'file', 'show', name)).toMatchObject([{ blocked: false, held_by: [] }]);
  server.clock.advance(2 * 24 * 3600 * 1000);
  expect(await server.runJob('purge')).toMatchObject({ blobs: 1 });
  expect(await sendForm(server, bob, formWith('a song', 'mine.mp3'))).toMatchObject({ success: true });
  expect(await holdfastJson(server, 'fsck')).toMatchObject([{ summary: { findings: 0 } }]);
});

test.each(holds)('a %s of purged bytes, or of discarded ones, is undone', async (verb, ...why) => {
  await using server = await startServer();
  const [ada, bob] = [await signUpAndIn(server), await signUpAndIn(server)];
  const [old, discarded] = [await uploadFile(server, ada, 'a song'), await uploadFile(server, ada, 'a film')];
  await ada.browser.client.deleteFiles({ body: { files: [old] } });
  server.clock.advance(2 * 24 * 3600 * 1000);
  expect(await server.runJob('purge')).toMatchObject({ blobs: 1 });
  await holdfastJson(server, 'file', verb, old, ...why);
  await holdfastJson(server, 'file', verb, discarded, ...why);
  await holdfastJson(server, 'file', 'discard', discarded, '--yes');
  for (const bytes of ['a song', 'a film'])
    expect((await sendForm(server, bob, formWith(bytes, 'mine.mp3'))).status).toBe(422);
  expect(await holdfast(server, 'file', 'restore', old)).toMatchObject({ code: 0 });
  expect(await holdfast(server, 'file', 'restore', sha256('a film'))).toMatchObject({
    code: 1,
    out: expect.stringContaining('the bytes were permanently deleted and cannot be restored.'),
  });
  expect(await holdfastJson(server, 'account', 'show', ada.email)).toMatchObject([{ takedowns: 0 }]);
  for (const bytes of ['a song', 'a film'])
    expect(await sendForm(server, bob, formWith(bytes, 'mine.mp3'))).toMatchObject({ success: true });
});

test('a takedown whose only owner has closed the account is undone for all others', async () => {
  await using server = await startServer();
  const [ada, bob] = [await signUpAndIn(server), await signUpAndIn(server)];
  const name = await uploadFile(server, ada, 'a song', 'song.mp3');
  await holdfastJson(server, 'file', 'take-down', name, '--case', 'A');
  await ada.browser.client.deleteAccount();
  const { code, out } = await holdfast(server, 'file', 'restore', '--case', 'A', '--yes');
  expect(code).toBe(1);
  expect(out).toContain('the account is closed.\n');
  expect(out).toContain('can be uploaded again.');
  expect(await sendForm(server, bob, formWith('a song', 'mine.mp3'))).toMatchObject({ success: true });
  expect(await statusOf(server, name)).toBe(404);
  expect(await holdfastJson(server, 'stats')).toMatchObject([{ takedowns: { open_cases: 0 } }]);
});

test('a quarantine by an operator removes all files, and can be undone', async () => {
  await using server = await startServer();
  const { ada, names } = await sharedBytes(server);
  const [done] = await holdfastJson(server, 'file', 'quarantine', names[0], '--because', 'abuse.example says so');
  expect(done).toMatchObject({ files: 3, accounts: 2 });
  for (const name of names) expect(await statusOf(server, name)).toBe(404);
  expect(await activityOf(ada)).toHaveLength(2);
  expect(await holdfastJson(server, 'account', 'show', ada.email)).toMatchObject([{ takedowns: 0 }]);
  await holdfastJson(server, 'file', 'take-down', names[0], '--case', 'A');
  expect(await holdfastJson(server, 'file', 'restore', names[0], '--quarantine')).toMatchObject([
    { still_held_by: ['the case A'] },
  ]);
  await holdfastJson(server, 'file', 'restore', names[0]);
  for (const name of names) expect(await statusOf(server, name)).toBe(200);
  expect(await holdfastJson(server, 'fsck')).toMatchObject([{ summary: { findings: 0 } }]);
});

test('concurrent takedowns and uploads of the same bytes leave no file that is served', async () => {
  await using server = await startServer();
  const { ada, bob, names } = await sharedBytes(server);
  const { context } = server;
  const bytes = await findBytes(context, names[0]);
  const actor = { operator: 'ada', action: 'file take-down' };
  const [taken] = await Promise.all([
    Promise.all(['A', 'A', 'B', 'A', 'B'].map((reference) => takeDown(context, actor, bytes, reference))),
    ...[ada, bob, ada, bob, ada, bob].map((person) => sendForm(server, person, formWith('a song', 'again.mp3'))),
  ]);
  // Each file was taken down once.
  const files = taken.reduce((sum, each) => sum + each.files, 0);
  expect(files).toBe((await activityOf(ada)).length + (await activityOf(bob)).length);
  const live = context.db.selectFrom('files').select('name').where('sha256', '=', sha256('a song'));
  expect(await live.where('deleted_at', 'is', null).execute()).toEqual([]);
  for (const person of [ada, bob])
    expect(await holdfastJson(server, 'account', 'show', person.email)).toMatchObject([{ cases: ['A', 'B'] }]);
  expect(await holdfastJson(server, 'fsck')).toMatchObject([{ summary: { findings: 0 } }]);
});
