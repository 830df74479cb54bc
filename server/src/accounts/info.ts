import type { Account, AccountLimits, AccountUsage } from '@holdfast/contract/src/account.ts';
import type { Context } from '../context.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import { timeText } from '../lib/clock.ts';
import { openApiKey } from './api-key.ts';
import { stepsNoted } from './first-steps.ts';
import type { Caller } from './identify.ts';
import { type LimitsColumns, planOf } from './plan-of.ts';

export async function accountInfoOf(context: Context, { account, sessionId }: Caller): Promise<Account> {
  const hasFirstSteps = sessionId !== null && (await stepsNoted(context, account)) !== null;
  return {
    info: {
      level: planOf(context, account).name,
      name: account.name,
      email: account.email,
      time_created: timeText(account.created_at),
      api_key: openApiKey(context, account.id, account.key_sealed),
    },
    limits: limitsOf(context, account),
    usage: usageOf(account),
    ...(sessionId !== null && {
      key_in_form: account.key_in_form === 1,
      key_last_used: account.key_used_at === 0 ? null : timeText(account.key_used_at),
      id: account.id,
    }),
    ...(hasFirstSteps && { first_steps: true }),
  };
}

export function limitsOf(context: Pick<Context, 'config'>, account: LimitsColumns): AccountLimits {
  const plan = planOf(context, account);
  return {
    max_file_size: plan.maxFileSize,
    space_quota: plan.spaceQuota,
    slots_quota: plan.slotsQuota,
    max_file_download_speed: plan.maxDownloadMbps,
  };
}

export function usageOf(account: Pick<AccountRow, 'space_used' | 'slots_used'>): AccountUsage {
  return { space_used: account.space_used, slots_used: account.slots_used };
}
