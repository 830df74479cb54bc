/** The command by which an operator gives one account limits of its own. */
import { unlimited } from '@holdfast/contract/src/plans.ts';
import { expect, test } from 'vitest';
import { signUpAndIn } from '../harness/accounts.ts';
import { holdfast, holdfastJson } from '../harness/holdfast.ts';
import { startServer } from '../harness/start-server.ts';

test('set-limits sets, keeps and resets limits, shows them, and is in the audit log', async () => {
  await using server = await startServer();
  const { email, byKey } = await signUpAndIn(server);
  const set = (...options: string[]) => holdfastJson(server, 'account', 'set-limits', email, ...options);
  expect(await set('--space', '50GB', '--file-size', '2.5 gb', '--files', 'unlimited')).toEqual([
    { email, max_file_size: 2.5e9, space_quota: 50e9, slots_quota: unlimited, max_file_download_speed: 4 },
  ]);
  expect(await set('--speed', '50', '--files', 'plan')).toEqual([
    { email, max_file_size: 2.5e9, space_quota: 50e9, slots_quota: 500, max_file_download_speed: 50 },
  ]);
  expect((await byKey.getAccountInfo()).account.limits.space_quota).toBe(50e9);
  expect((await holdfast(server, 'account', 'show', email)).out).toMatch(/^Own limits +file size, space, speed$/m);
  expect(await set('--reset', '--speed', 'unlimited')).toEqual([
    { email, max_file_size: 1e8, space_quota: 5e8, slots_quota: 500, max_file_download_speed: 1000 },
  ]);
  const audit = await holdfastJson(server, 'audit');
  expect(audit.map(({ action }) => action)).toEqual(Array(3).fill('account set-limits'));
  expect(audit[0]).toMatchObject({ email, details: { limits: { maxDownloadMbps: 1000 } } });
});

test('set-limits refuses what is no limit, and says what would be', async () => {
  await using server = await startServer();
  const { email } = await signUpAndIn(server);
  const refused = async (...options: string[]) => {
    const { code, err } = await holdfast(server, 'account', 'set-limits', email, ...options);
    expect(code).toBe(2);
    return err;
  };
  expect(await refused()).toContain('Name a limit');
  expect(await refused('--space=0GB')).toContain("It must be a size such as 50GB, 'unlimited' or 'plan'.");
  expect(await holdfast(server, 'account', 'set-limits', 'nobody@example.com', '--reset')).toMatchObject({
    code: 1,
    err: "There is no open account 'nobody@example.com'.\n",
  });
});
