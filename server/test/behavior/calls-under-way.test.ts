/** A new password ends earlier access, also of calls under way; those of the owner's own browser go on. */
import { expect } from 'vitest';
import { minutes } from '../../src/lib/clock.ts';
import { cookieName, goodPassword, type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { type Browser, openBrowser } from '../harness/browser.ts';
import { newestResetKey, newPassword, resetForm } from '../harness/passwords.ts';
import { firefox, sessionsOf, signInWith } from '../harness/sessions.ts';
import { shareServer, test } from '../harness/server-test.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { formWith, uploadFile } from '../harness/uploads.ts';

const { server: shared } = await shareServer();

const signedOut = { status: 401, code: 'AUTH_REQUIRED' };

/** Holds the next call that is counted by its account, after it was identified. */
function holdNextCall({ context }: TestServer) {
  const { counters } = context;
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const take: typeof counters.take = async (key, limit) => {
    if (key.startsWith('calls of account')) {
      Object.assign(context, { counters });
      held.resolve();
      await released.promise;
    }
    return counters.take(key, limit);
  };
  Object.assign(context, { counters: { ...counters, take } });
  return { held: held.promise, release: released.resolve };
}

const calls: Readonly<Record<string, (browser: Browser, file: string, deleted: string) => Promise<unknown>>> = {
  'change-api-key': ({ client }) => client.changeApiKey(),
  'set-account-settings': ({ client }) => client.setAccountSettings({ body: { inactivity_auto_delete_days: 1 } }),
  'set-timezone': ({ client }) =>
    client.setTimezone({ body: { guessed_timezone: 'Asia/Tokyo', timezone_offset_minutes: 0, is_dst: 0 } }),
  'set-key-in-form': ({ client }) => client.setKeyInForm({ body: { allowed: true } }),
  'change-first-steps': ({ client }) => client.changeFirstSteps({ body: { dismiss: true } }),
  'end-sessions': ({ client }) => client.endSessions({ body: { others: true } }),
  'delete-account': ({ client }) => client.deleteAccount(),
  'confirm-password': ({ client }) => client.confirmPassword({ body: { password: goodPassword } }),
  'delete-files': ({ client }, file) => client.deleteFiles({ body: { files: [file] } }),
  'restore-files': ({ client }, _file, deleted) => client.restoreFiles({ body: { files: [deleted] } }),
  'set-favorites': ({ client }, file) => client.setFavorites({ body: { files: [file], is_favorite: true } }),
  'toggle-favorite': ({ client }, file) => client.toggleFavorite({ body: { file } }),
};

async function resetByLink(server: TestServer, { email }: SignedIn): Promise<void> {
  const owner = openBrowser(server);
  await owner.client.requestPasswordReset({ body: { email } });
  await owner.client.resetPassword(resetForm(await newestResetKey(server, email)));
  await owner.client.login({ body: { email, password: newPassword } });
}

const changePassword = async (_: TestServer, { browser }: SignedIn): Promise<void> => {
  await browser.client.changePassword({ body: { old_password: goodPassword, new_password: newPassword } });
};

const endOthers = async (server: TestServer, { email }: SignedIn): Promise<void> => {
  const owner = await signInWith(server, email, firefox);
  await owner.client.endSessions({ body: { others: true } });
};

const stateOf = async ({ context: { db } }: TestServer) => {
  const accounts = await db.selectFrom('accounts').selectAll().execute();
  return {
    accounts: accounts.map((account) => ({ ...account, last_active_at: 0 })),
    sessions: await db.selectFrom('sessions').select('id').orderBy('id').execute(),
    files: await db.selectFrom('files').select(['name', 'is_favorite', 'deleted_at']).execute(),
  };
};

function copyOf(server: TestServer, { cookies }: Browser, headers?: Record<string, string>): Browser {
  const copy = openBrowser(server, headers);
  for (const [name, value] of cookies) copy.cookies.set(name, value);
  return copy;
}

test.each(
  Object.keys(calls).flatMap((name) => [
    [name, 'a reset', resetByLink] as const,
    [name, 'a new password in the same session', changePassword] as const,
    [name, 'the end of the session', endOthers] as const,
  ]),
)('a call of %s that was identified before %s changes nothing', async (name, _, endAccess) => {
  const account = await signUpAndIn(shared);
  const [file, deleted] = [await uploadFile(shared, account), await uploadFile(shared, account)];
  await account.byKey.deleteFiles({ body: { files: [deleted] } });
  const stranger = copyOf(shared, account.browser);
  const { held, release } = holdNextCall(shared);
  const calling = calls[name]?.(stranger, file, deleted).then(
    () => 'done',
    ({ code }: { code: string }) => code,
  );
  await held;
  await endAccess(shared, account);
  const before = await stateOf(shared);
  release();
  expect(await calling).toBe('AUTH_REQUIRED');
  expect(await stateOf(shared)).toEqual(before);
});

test('a deletion by a key that was replaced meanwhile deletes nothing', async ({ server, account }) => {
  const file = await uploadFile(server, account);
  const { held, release } = holdNextCall(server);
  const deleting = account.byKey.deleteFiles({ body: { files: [file] } });
  await held;
  await account.browser.client.changeApiKey();
  release();
  await expect(deleting).rejects.toMatchObject({ status: 401, code: 'AUTH_INVALID_KEY' });
  expect((await account.browser.client.getFileList({ query: {} })).files).toHaveLength(1);
});

const renewals: readonly [string, (browser: Browser) => Promise<unknown>][] = [
  ['is confirmed', ({ client }) => client.confirmPassword({ body: { password: goodPassword } })],
  [
    'is changed',
    ({ client }) => client.changePassword({ body: { old_password: goodPassword, new_password: newPassword } }),
  ],
];

const upload = async (browser: Browser) =>
  (await browser.fetch('/api/v3/upload', { method: 'POST', body: formWith('hello') })).status;

test.each(renewals)(
  'when the password %s, uploads and reads that were sent before go on for a minute',
  async (_, renew) => {
    const { browser } = await signUpAndIn(shared);
    const before = copyOf(shared, browser);
    await renew(browser);
    shared.clock.advance(minutes(1) - 1);
    expect(await upload(before)).toBe(200);
    expect((await before.client.getFileList({ query: {} })).files).toHaveLength(1);
    expect(before.cookies).not.toEqual(browser.cookies);
    shared.clock.advance(1);
    expect(await upload(before)).toBe(401);
    await expect(before.client.getFileList({ query: {} })).rejects.toMatchObject(signedOut);
    expect(await upload(browser)).toBe(200);
  },
);

test.each(renewals)('when the password %s, the token before shows no key and changes nothing', async (_, renew) => {
  const account = await signUpAndIn(shared);
  const file = await uploadFile(shared, account);
  const stolen = copyOf(shared, account.browser);
  await renew(account.browser);
  const { account: info } = await stolen.client.getAccountInfo();
  expect(info.info.api_key).toBe('');
  const before = await stateOf(shared);
  for (const call of Object.values(calls))
    await expect(call(stolen, file, file)).rejects.toMatchObject({ status: 503, code: 'UNAVAILABLE' });
  expect(await stateOf(shared)).toEqual(before);
  expect(shared.log.filter((line) => line.includes('request failed'))).toEqual([]);
});

test.each(renewals)('when the password %s, the token before is refused from another address', async (_, renew) => {
  await using server = await startServer({ TRUST_PROXY: '127.0.0.1' });
  const { browser } = await signUpAndIn(server);
  const stolen = copyOf(server, browser, { 'X-Forwarded-For': '203.0.113.7' });
  await stolen.client.getAccountInfo();
  await renew(browser);
  await expect(stolen.client.getAccountInfo()).rejects.toMatchObject(signedOut);
  expect(await upload(stolen)).toBe(401);
});

test('a log-out that still has the token before ends the session', async ({ server, account: { browser } }) => {
  const tab = copyOf(server, browser);
  await browser.client.confirmPassword({ body: { password: goodPassword } });
  await tab.client.logout();
  await expect(browser.client.getAccountInfo()).rejects.toMatchObject(signedOut);
  expect(tab.cookies.has(cookieName(server, 'session'))).toBe(false);
});

test('a reset ends the token before a renewal too', async ({ server, account }) => {
  const before = copyOf(server, account.browser);
  await account.browser.client.confirmPassword({ body: { password: goodPassword } });
  await resetByLink(server, account);
  expect(await upload(before)).toBe(401);
  const owner = openBrowser(server);
  await owner.client.login({ body: { email: account.email, password: newPassword } });
  expect(await sessionsOf(owner)).toHaveLength(2);
});
