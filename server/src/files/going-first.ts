import type { Transaction } from '../engines/database/database.ts';

/**
 * The live files of an account that Continuous Uploading may delete, in the order in which they go: the oldest first. Each
 * upload's id is later than those of its account's other files, so the index by favorite has them in this order.
 */
export function goingFirst(db: Pick<Transaction, 'selectFrom'>, accountId: string) {
  return db
    .selectFrom('files')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('is_favorite', '=', 0)
    .orderBy('id');
}
