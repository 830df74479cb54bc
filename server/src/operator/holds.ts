import type { Database } from '../storage/db/database.ts';
import type { BlobId } from '../storage/blobs/blobs.ts';

export type Hold = { readonly kind: 'case'; readonly reference: string } | { readonly kind: 'quarantine' };

export async function holdsOn(
  db: Pick<Database, 'selectFrom'>,
  { sha256, blobId }: { readonly sha256: string; readonly blobId: BlobId },
): Promise<Hold[]> {
  const open = await db
    .selectFrom('takedown_cases')
    .select('reference')
    .where('sha256', '=', sha256)
    .where('closed_at', 'is', null)
    .orderBy('opened_at')
    .orderBy('reference')
    .execute();
  const blobs = db.selectFrom('blobs').select(['held_for', 'scan_state']);
  const blob = await blobs.where('id', '=', blobId).executeTakeFirst();
  const blocks = db.selectFrom('blocked_digests').select(['reason', 'reference']);
  const blocked = await blocks.where('sha256', '=', sha256).executeTakeFirst();
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

export const wordsFor = (hold: Hold): string =>
  hold.kind === 'case' ? `the case ${hold.reference}` : 'the quarantine';
