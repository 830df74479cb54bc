import type { Database } from '../storage/db/database.ts';
import type { FoundBytes } from './find-bytes.ts';

/** The reason why bytes are withheld: a takedown case, by its reference, or a quarantine. */
export type Hold = { readonly kind: 'case'; readonly reference: string } | { readonly kind: 'quarantine' };

type Reader = Pick<Database, 'selectFrom'>;

/** Returns every hold on these bytes. */
export async function holdsOn(db: Reader, { sha256, blobId }: FoundBytes): Promise<Hold[]> {
  const open = await db
    .selectFrom('takedown_cases')
    .select('reference')
    .where('sha256', '=', sha256)
    .where('closed_at', 'is', null)
    .orderBy('opened_at')
    .orderBy('reference')
    .execute();
  const blob = await db
    .selectFrom('blobs')
    .select(['held_for', 'scan_state'])
    .where('id', '=', blobId)
    .executeTakeFirst();
  const blocked = await db
    .selectFrom('blocked_digests')
    .select(['reason', 'reference'])
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  const references = new Set(open.map((row) => row.reference));
  // A restored backup may know the block of a later case without the case itself.
  if (blocked?.reason === 'takedown') references.add(blocked.reference);
  const isQuarantined =
    blob?.held_for === 'malware' || blob?.scan_state === 'infected' || blocked?.reason === 'malware';
  return [
    ...[...references].map((reference) => ({ kind: 'case', reference }) as const),
    ...(isQuarantined ? [{ kind: 'quarantine' } as const] : []),
  ];
}

export const isSame = (one: Hold, other: Hold): boolean => wordsFor(one) === wordsFor(other);

export const wordsFor = (hold: Hold): string =>
  hold.kind === 'case' ? `the case ${hold.reference}` : 'the quarantine';
