/** The plans as an operator changes them: `PLANS_FILE` and `DEFAULT_PLAN`. */
import { unlimited, unlimitedMbps } from '@holdfast/contract/src/plans.ts';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { grantPlan } from '../../src/billing/subscription.ts';
import { goodPassword, newEmail, signUpAndIn, type SignedIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { startServer } from '../harness/start-server.ts';
import { formWith, sendForm, uploadFile } from '../harness/uploads.ts';
import { test } from '../harness/server-test.ts';

let plansFiles = 0;
async function plansFile(plans: object): Promise<string> {
  const path = join(memoryFolder(), `holdfast-plans-${process.pid}-${(plansFiles += 1)}.json`);
  await writeFile(path, JSON.stringify(plans));
  onTestFinished(() => rm(path));
  return path;
}

const limitsOf = async ({ byKey }: SignedIn) => (await byKey.getAccountInfo()).account.limits;

test('an account has the limits of the plans file, and the API names its plan by the new name', async () => {
  const PLANS_FILE = await plansFile({
    free: { name: 'Guest', max_file_size: 10, space_quota: 25, slots_quota: 'unlimited', allowed_extensions: ['jar'] },
  });
  await using server = await startServer({ PLANS_FILE });
  const ada = await signUpAndIn(server);
  expect((await ada.byKey.getAccountInfo()).account.info.level).toBe('Guest');
  expect(await limitsOf(ada)).toEqual({
    max_file_size: 10,
    space_quota: 25,
    slots_quota: unlimited,
    max_file_download_speed: 4,
  });
  const send = (bytes: number, name: string) => sendForm(server, ada, formWith('x'.repeat(bytes), name));
  expect(await send(1, 'a.txt')).toMatchObject({
    success: false,
    error: 'The Guest plan does not accept .txt files.',
  });
  expect(await send(11, 'a.jar')).toMatchObject({ success: false, status: 413 });
  expect(await send(10, 'a.jar')).toMatchObject({ success: true });
  expect(await send(10, 'b.jar')).toMatchObject({ success: true });
  expect(await send(6, 'c.jar')).toMatchObject({
    success: false,
    error: 'Not enough space or slots. Delete files, or ask the administrator for more space.',
  });
  expect(await send(5, 'c.jar')).toMatchObject({ success: true });
});

test('House takes any file and has no limit', async ({ server }) => {
  const ada = await signUpAndIn(server);
  const { id } = await server.context.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  expect(await sendForm(server, ada, formWith('x', 'setup.exe'))).toMatchObject({ success: false });
  expect(await grantPlan(server.context, id, 'house')).toBe('house');
  expect(await limitsOf(ada)).toEqual({
    max_file_size: unlimited,
    space_quota: unlimited,
    slots_quota: unlimited,
    max_file_download_speed: unlimitedMbps,
  });
  // More than the largest plan that is for sale may hold.
  await server.context.db.updateTable('accounts').set({ space_used: 26e9, slots_used: 100_001 }).execute();
  for (const name of ['setup.exe', 'Makefile', 'pack.jar', 'icon.svg'])
    expect(await sendForm(server, ada, formWith(name, name))).toMatchObject({ success: true });
  // Continuous Uploading has nothing to make room for.
  await ada.browser.client.setAccountSettings({ body: { continuous_uploading: true } });
  await uploadFile(server, ada, 'more', 'more.bin');
  const { files: stored, account_usage } = await ada.byKey.getFileList({ query: {} });
  expect(stored).toHaveLength(5);
  expect(account_usage.slots_used).toBe(100_006);
});

test('a new account has the default plan', async () => {
  await using server = await startServer({ DEFAULT_PLAN: 'house' });
  const browser = openBrowser(server);
  const email = newEmail();
  await browser.client.createAccount({ body: { email, password: goodPassword, password2: goodPassword } });
  await browser.client.verifyEmail({ body: { code: await server.mail.newestSecretFor(email) } });
  await browser.client.login({ body: { email, password: goodPassword } });
  expect((await browser.client.getAccountInfo()).account.info.level).toBe('House');
});
