/** The current plan determines every limit at once, including for uploads in progress. */
import { changePlans, type PlanLevel } from '@holdfast/contract/src/plans.ts';
import { expect } from 'vitest';
import { readerOf } from '../../src/lib/byte-reader.ts';
import { upload } from '../../src/uploads/keep.ts';
import { stateOf, sumsOf } from '../harness/account-state.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { keyCaller } from '../harness/key-caller.ts';
import { onePart } from '../harness/one-part.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { storeRows } from '@holdfast/test-support/stored-rows.ts';
import { formWith, sendForm } from '../harness/uploads.ts';
import { storedNames } from '../harness/stored-bytes.ts';
import { test } from '../harness/server-test.ts';

const mega = 1_000_000;
const freeQuota = 500 * mega;
/** With a limit that a test need not fill with 100 MB. */
const start = async () => {
  const server = await startServer();
  Object.assign(server.context.config, { plans: changePlans({ free: { maxFileSize: mega } }) });
  return server;
};

async function setPlan(server: TestServer, { email }: SignedIn, level: PlanLevel): Promise<void> {
  await server.context.db.updateTable('accounts').set({ level }).where('email', '=', email).execute();
}

/** An upload whose account changes after half of its bytes have arrived. */
async function uploadAround(
  server: TestServer,
  account: SignedIn,
  { name = 'a.txt', bytes = 100 }: { name?: string; bytes?: number },
  change: () => Promise<unknown>,
): Promise<string> {
  const half = Buffer.alloc(Math.ceil(bytes / 2), 'x');
  const body = (async function* () {
    yield Buffer.from(half);
    await change();
    yield Buffer.from(half.subarray(0, bytes - half.length));
  })();
  const parts = (async function* () {
    yield { name: 'file', filename: name, body: readerOf(body) };
  })();
  const uploading = upload(server.context, await keyCaller(server, account), parts);
  return uploading.then(
    () => 'kept',
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  );
}

test.each([
  ['the type', 'UPLOAD_TYPE_REFUSED', 'starter', { name: 'a.exe' }, []],
  ['the size', 'UPLOAD_TOO_LARGE', 'basic', { bytes: mega + 1 }, []],
  ['the space', 'UPLOAD_QUOTA_EXCEEDED', 'basic', { bytes: 2 }, [freeQuota - 1]],
  ['the slots', 'UPLOAD_QUOTA_EXCEEDED', 'starter', {}, Array.from({ length: 500 }, () => 1)],
] as const)('a downgrade during an upload applies: %s is refused with %s', async (_, code, plan, file, rows) => {
  await using server = await start();
  const account = await signUpAndIn(server, { plan });
  await storeRows(
    server,
    account,
    rows.map((size) => ({ size })),
  );
  const before = await stateOf(server, account);
  expect(await uploadAround(server, account, file, () => setPlan(server, account, 'free'))).toBe(code);
  expect(await stateOf(server, account)).toEqual(before);
  expect(await storedNames(server)).toEqual([]);
});

test.each([
  ['the size', 'basic', { bytes: mega + 2 }, []],
  ['the space', 'basic', { bytes: 200 }, [freeQuota - 150]],
] as const)('an upgrade during an upload applies: %s', async (_, plan, file, rows) => {
  await using server = await start();
  const account = await signUpAndIn(server);
  await storeRows(
    server,
    account,
    rows.map((size) => ({ size })),
  );
  expect(await uploadAround(server, account, file, () => setPlan(server, account, plan))).toBe('kept');
});

test('an upload uses the current plan, not the plan at its request', async ({ server, account }) => {
  const caller = await keyCaller(server, account);
  await setPlan(server, account, 'starter');
  const uploading = upload(server.context, caller, onePart(Buffer.from('x'), 'a.exe'));
  await expect(uploading).resolves.toMatchObject({ url: expect.stringMatching(/\.exe$/) });
});

test.each([false, true])(
  'below the used space a downgrade deletes nothing and refuses uploads, with Continuous Uploading %s',
  async (continuous_uploading) => {
    await using server = await startServer();
    const account = await signUpAndIn(server, { plan: 'basic' });
    await account.browser.client.setAccountSettings({ body: { continuous_uploading } });
    const rows = Array.from({ length: 20 }, () => ({ size: 50 * mega }));
    const names = await storeRows(server, account, rows);
    await setPlan(server, account, 'free');
    const before = await stateOf(server, account);
    const send = (bytes: number) => sendForm(server, account, formWith(Buffer.alloc(bytes, 'x')));
    expect(await send(1)).toMatchObject({ status: 403 });
    expect(await send(0)).toMatchObject({ status: 403 });
    expect(await stateOf(server, account)).toEqual(before);

    await account.byKey.deleteFiles({ body: { files: names.slice(0, 10) } });
    // Exactly full: Continuous Uploading frees the space that the new file needs, and no more.
    expect((await send(1)).status).toBe(continuous_uploading ? 200 : 403);
    const after = await stateOf(server, account);
    expect(after).toMatchObject(sumsOf(after));
    expect(after.activity.map(({ name }) => name)).toEqual(continuous_uploading ? names.slice(10, 11) : []);
  },
);

test('a downgrade below the used space during an upload deletes nothing', async ({ server }) => {
  const account = await signUpAndIn(server, { plan: 'basic' });
  await account.browser.client.setAccountSettings({ body: { continuous_uploading: true } });
  await storeRows(server, account, [{ size: freeQuota }, { size: 10 }]);
  const before = await stateOf(server, account);
  expect(await uploadAround(server, account, {}, () => setPlan(server, account, 'free'))).toBe('UPLOAD_QUOTA_EXCEEDED');
  expect(await stateOf(server, account)).toEqual(before);
});

test('Continuous Uploading that is switched off during an upload deletes nothing', async ({ server, account }) => {
  const { client } = account.browser;
  await client.setAccountSettings({ body: { continuous_uploading: true } });
  await storeRows(server, account, [{ size: freeQuota }]);
  const before = await stateOf(server, account);
  const switchOff = () => client.setAccountSettings({ body: { continuous_uploading: false } });
  expect(await uploadAround(server, account, {}, switchOff)).toBe('UPLOAD_QUOTA_EXCEEDED');
  expect(await stateOf(server, account)).toEqual(before);
});
