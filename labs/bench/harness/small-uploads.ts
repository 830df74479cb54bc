import type { SmallAnswer, SmallOrders } from '../clients/small.ts';
import type { Account } from './account.ts';
import { runClient } from './children.ts';

/** Bytes of a small file. */
export const smallBytes = 10_000;

/** One key may upload 200 files a second, and one account 4 at a time: together they are limited by the server only. */
export const accountsForSmallUploads = 12;

type Orders = Pick<SmallOrders, 'uploads' | 'atOnce'> & { readonly readBack?: number };

/** Uploads small files of the accounts in turn, reads some of them back, and returns the seconds and the links. */
export function uploadSmall(
  origin: string,
  accounts: readonly Account[],
  { uploads, atOnce, readBack = 20 }: Orders,
): Promise<SmallAnswer> {
  const apiKeys = accounts.map(({ apiKey }) => apiKey);
  return runClient('small-uploads', { origin, apiKeys, uploads, atOnce, size: smallBytes, readBack });
}

/** Like `uploadSmall`, but returns the files a second, and throws if a limit took part in it. */
export async function uploadRate(origin: string, accounts: readonly Account[], orders: Orders): Promise<number> {
  const { seconds, refused } = await uploadSmall(origin, accounts, orders);
  if (refused > 0) throw new Error(`${refused} uploads reached a limit`);
  return orders.uploads / seconds;
}
