import { sealApiKey } from '@holdfast/server/src/accounts/api-key.ts';
import { type SeededAccount, seedLists } from '@holdfast/test-support/seed-lists.ts';
import type { Store } from './engine.ts';

/**
 * Fills an empty store as `seedLists` does. API keys are sealed: each server start tries one and raises an alarm if it
 * fails.
 */
export async function seedStore(store: Store, sizes: readonly number[], total: number): Promise<SeededAccount[]> {
  await using db = await store.open();
  return await seedLists(db, sizes, total, (accountId, apiKey) => sealApiKey(store, accountId, apiKey));
}
