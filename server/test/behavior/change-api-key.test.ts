import { createClient } from '@holdfast/contract/src/client.ts';
import { expect } from 'vitest';
import { minutes } from '../../src/lib/clock.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { type TestServer } from '../harness/start-server.ts';
import { test } from '../harness/server-test.ts';

const invalid = { status: 401, code: 'AUTH_INVALID_KEY' };
const withKey = (server: TestServer, apiKey: string) => createClient(fetch, { origin: server.url, apiKey });

test('the new key works and is shown, and the old one is invalid at once', async ({ server }) => {
  const { browser, apiKey, email } = await signUpAndIn(server);
  const { account_info } = await browser.client.changeApiKey();
  const key = account_info.new_api_key;
  expect(key).toMatch(/^hf_[0-9A-Za-z]{46}$/);
  expect(key).not.toBe(apiKey);
  await expect(withKey(server, apiKey).getAccountInfo()).rejects.toMatchObject(invalid);
  expect((await withKey(server, key).getAccountInfo()).account.info).toMatchObject({ email, api_key: key });
  expect((await browser.client.getAccountInfo()).account.info.api_key).toBe(key);
});

test('20 concurrent changes leave one valid key: the one in the last response', async ({ server }) => {
  const { browser, apiKey } = await signUpAndIn(server);
  const shown: string[] = [];
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      const { account_info } = await browser.client.changeApiKey();
      shown.push(account_info.new_api_key);
    }),
  );
  expect(new Set(shown).size).toBe(20);
  const tried = await Promise.allSettled([apiKey, ...shown].map((key) => withKey(server, key).getAccountInfo()));
  const valid = [apiKey, ...shown].filter((_, i) => tried[i]?.status === 'fulfilled');
  expect(valid).toHaveLength(1);
  const info = await browser.client.getAccountInfo();
  expect(info.account.info.api_key).toBe(valid[0]);
  expect(shown.at(-1)).toBe(valid[0]);
});

test('the owner is notified by email, without the key', async ({ server, account: { browser, email } }) => {
  const { account_info } = await browser.client.changeApiKey();
  const emails = await server.mail.emails();
  expect(emails.at(-1)).toMatchObject({ to: email, subject: 'Your Holdfast API key was changed', secret: null });
  expect(JSON.stringify(emails)).not.toContain(account_info.new_api_key);
});

test('a change that the database refuses has no effect, and the next one works', async ({ server }) => {
  const { browser, byKey } = await signUpAndIn(server);
  const { db } = server.context;
  await db.schema.alterTable('outgoing_emails').renameTo('outgoing_emails_away').execute();
  await expect(browser.client.changeApiKey()).rejects.toMatchObject({ status: 500 });
  await byKey.getAccountInfo();
  await db.schema.alterTable('outgoing_emails_away').renameTo('outgoing_emails').execute();
  await browser.client.changeApiKey();
  await expect(byKey.getAccountInfo()).rejects.toMatchObject(invalid);
});

test('a session sees when its key was last used; a new key was never used', async ({ server }) => {
  const { browser, byKey } = await signUpAndIn(server);
  const lastUsed = async () => (await browser.client.getAccountInfo()).account.key_last_used;
  expect(await lastUsed()).toBeNull();
  const used = new Date(server.clock.now()).toISOString();
  expect((await byKey.getAccountInfo()).account).not.toHaveProperty('key_last_used');
  server.clock.advance(minutes(1));
  expect(await lastUsed()).toBe(used);
  server.clock.advance(1);
  await byKey.getAccountInfo();
  expect(await lastUsed()).toBe(new Date(server.clock.now()).toISOString());
  await browser.client.changeApiKey();
  expect(await lastUsed()).toBeNull();
});
