import { type BodyOf, type Endpoint, endpoints } from '@holdfast/contract/src/endpoints.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import type { Limit } from '../storage/counters/counters.ts';
import type { CallInput } from '../http/serve.ts';
import { costOfDeletion, costOfList, costOfPreview } from './call-cost.ts';
import type { ListQuery } from './list.ts';

/** 40 a second, 128 at once: several open dashboards, far below the sum of what an account's sessions may call. */
const perAccount: Limit = { capacity: 128, everyMs: 25 };

/**
 * Limits what one account costs, whatever the number of its sessions and addresses. Calls in a session count, and lists
 * and deletions also with a key; the limit per address is enough for other calls with a key. Reads that walk many files
 * and deletions of many files count as several calls.
 * @throws {Failure} RATE_LIMITED.
 */
export async function limitAccountCalls(
  { counters }: Pick<Context, 'counters'>,
  { account, by }: Caller,
  endpoint: Endpoint,
  input: CallInput,
): Promise<void> {
  if (by === 'key' && !countedWithKey.has(endpoint)) return;
  const cost = costOf(endpoint, account, input);
  // A call that costs several takes from the same bucket in larger steps.
  const limit = { capacity: perAccount.capacity / cost, everyMs: perAccount.everyMs * cost };
  const { allowed, retryAfterSeconds } = await counters.take(`calls of account ${account.id}`, limit);
  if (!allowed) throw new Failure('RATE_LIMITED', undefined, { retryAfterSeconds });
}

const countedWithKey: ReadonlySet<Endpoint> = new Set<Endpoint>([endpoints.getFileList, endpoints.deleteFiles]);

function costOf(endpoint: Endpoint, account: Caller['account'], { query, body }: CallInput): number {
  switch (endpoint) {
    case endpoints.getFileList:
      return costOfList(account, query as ListQuery);
    case endpoints.getInactiveFiles:
    case endpoints.getEvictionPreview:
      return costOfPreview(account);
    case endpoints.deleteFiles:
      return costOfDeletion(body as BodyOf<typeof endpoints.deleteFiles>);
    default:
      return 1;
  }
}
