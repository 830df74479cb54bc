/** Limits that an operator gives one account instead of those of its plan. */
import { unlimited } from '@holdfast/contract/src/plans.ts';
import { expect } from 'vitest';
import { type LimitChanges, setLimits } from '../../src/accounts/change-account.ts';
import { grantPlan } from '../../src/billing/subscription.ts';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { type TestServer } from '../harness/start-server.ts';
import { formWith, sendForm } from '../harness/uploads.ts';
import { test } from '../harness/server-test.ts';

const actor = { operator: 'root', action: 'account set-limits' };

async function change({ context }: TestServer, { email }: Pick<SignedIn, 'email'>, changes: LimitChanges) {
  const account = await context.db
    .selectFrom('accounts')
    .selectAll()
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  expect(await setLimits(context, actor, account, changes)).not.toBeNull();
  return account;
}

const limitsOf = async ({ byKey }: SignedIn) => (await byKey.getAccountInfo()).account.limits;

const planLimits = { max_file_size: 1e8, space_quota: 5e8, slots_quota: 500, max_file_download_speed: 4 };

test('own limits hold instead of those of the plan, under any plan, until they are given back', async ({ server }) => {
  const ada = await signUpAndIn(server);
  const bob = await signUpAndIn(server);
  await change(server, ada, { spaceQuota: 25, maxFileSize: 10 });
  const { id } = await change(server, ada, { slotsQuota: unlimited });
  expect(await limitsOf(ada)).toEqual({ ...planLimits, max_file_size: 10, space_quota: 25, slots_quota: unlimited });
  expect(await limitsOf(bob)).toEqual(planLimits);
  const send = (bytes: number) => sendForm(server, ada, formWith('x'.repeat(bytes), 'a.txt'));
  expect(await send(11)).toMatchObject({ success: false, status: 413 });
  expect(await send(10)).toMatchObject({ success: true });
  expect(await send(10)).toMatchObject({ success: true });
  expect(await send(6)).toMatchObject({ success: false, status: 403 });
  await grantPlan(server.context, id, 'power');
  expect(await limitsOf(ada)).toMatchObject({ max_file_size: 10, space_quota: 25, max_file_download_speed: 1000 });
  expect(await send(6)).toMatchObject({ success: false, status: 403 });
  await change(server, ada, { spaceQuota: 'plan' });
  expect(await limitsOf(ada)).toMatchObject({ max_file_size: 10, space_quota: 25e9 });
  expect(await send(6)).toMatchObject({ success: true });
  await change(server, ada, { maxFileSize: 'plan', slotsQuota: 'plan' });
  expect(
    (await server.context.db.selectFrom('accounts').select('own_limits').where('id', '=', id).executeTakeFirst())
      ?.own_limits,
  ).toBe('');
  expect(await send(11)).toMatchObject({ success: true });
});

test('two changes at once are both kept', async ({ server }) => {
  const ada = await signUpAndIn(server);
  await Promise.all([
    change(server, ada, { spaceQuota: 1000 }),
    change(server, ada, { slotsQuota: 3 }),
    change(server, ada, { maxFileSize: 100 }),
  ]);
  expect(await limitsOf(ada)).toMatchObject({ space_quota: 1000, slots_quota: 3, max_file_size: 100 });
});
