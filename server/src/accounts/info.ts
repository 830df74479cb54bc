import type { Account, AccountLimits, AccountUsage } from '@holdfast/contract/src/account.ts';
import { plans } from '@holdfast/contract/src/plans.ts';
import type { Context } from '../context.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import { timeText } from '../lib/clock.ts';
import { openApiKey } from './api-key.ts';
import type { Caller } from './identify.ts';

export function accountInfoOf(context: Context, { account, sessionId }: Caller): Account {
  return {
    info: {
      level: plans[account.level].name as Account['info']['level'],
      name: account.name,
      email: account.email,
      time_created: timeText(account.created_at),
      api_key: openApiKey(context, account.id, account.key_sealed),
    },
    limits: limitsOf(account),
    usage: usageOf(account),
    ...(sessionId !== null && { session_id: sessionId }),
  };
}

export function limitsOf({ level }: Pick<AccountRow, 'level'>): AccountLimits {
  const plan = plans[level];
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
