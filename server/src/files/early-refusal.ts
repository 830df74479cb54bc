import { Failure } from '@holdfast/contract/src/errors.ts';
import { plans } from '@holdfast/contract/src/plans.ts';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Database } from '../engines/database/database.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import { refuseSize, refuseType } from './plan-rules.ts';
import { isWithinQuota } from './space.ts';

type Known = Pick<AccountRow, 'id' | 'level' | 'space_used' | 'slots_used' | 'continuous_uploading'>;

/** What is known of an upload's account, and the most bytes that fit; less than 0 where no file does. */
interface Limits {
  readonly account: Known;
  readonly room: number;
}

export interface EarlyRefusal {
  /** @throws {Failure} UPLOAD_TYPE_REFUSED. */
  type(extension: string): Promise<void>;
  /** @throws {Failure} UPLOAD_TOO_LARGE, UPLOAD_NO_ROOM. */
  size(bytes: number): Promise<void>;
}

/**
 * Refuses what cannot fit before all of it is read; what fits now is still to be decided by `takeRoom`. Before it says
 * no it reads the account again: there may be a better plan or more room by now, and where Continuous Uploading makes
 * room, only favorites are in the way.
 */
export function openEarlyRefusal({ db }: Pick<Context, 'db'>, account: Known): EarlyRefusal {
  let limits: Limits = { account, room: freeRoom(account) };
  const judge = async (refuse: (limits: Limits) => void) => {
    try {
      refuse(limits);
    } catch {
      limits = await readLimits(db, account);
      refuse(limits);
    }
  };
  return {
    type: (extension) => judge((known) => refuseType(plans[known.account.level], extension)),
    size: (bytes) =>
      judge(({ account: { level }, room }) => {
        refuseSize(plans[level], bytes);
        if (bytes > room) throw new Failure('UPLOAD_NO_ROOM');
      }),
  };
}

function freeRoom({ level, space_used, slots_used }: Known): number {
  const { spaceQuota, slotsQuota } = plans[level];
  return slots_used < slotsQuota ? spaceQuota - space_used : -1;
}

async function readLimits(db: Database, known: Known): Promise<Limits> {
  const account = (await db.selectFrom('accounts').selectAll().where('id', '=', known.id).executeTakeFirst()) ?? known;
  if (account.continuous_uploading === 0 || !isWithinQuota(account)) return { account, room: freeRoom(account) };
  const { spaceQuota, slotsQuota } = plans[account.level];
  const favorites = await db
    .selectFrom('files')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      sql<number>`cast(coalesce(sum(size), 0) AS bigint)`.as('bytes'),
    ])
    .where('account_id', '=', account.id)
    .where('is_favorite', '=', 1)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { account, room: favorites.count < slotsQuota ? spaceQuota - favorites.bytes : -1 };
}

/** Room for the boundaries, part headers and small fields around a file. */
const formOverheadBytes = 64 * 1024;

/** A form is at least as large as its file, so most of what Content-Length says is file for sure; null says nothing. */
export function surelyFileBytes(formBytes: number | null): number {
  return Math.max(0, (formBytes ?? 0) - formOverheadBytes);
}
