import { sql } from 'kysely';
import { recordAction } from '../record-action.ts';
import type { BlobId } from '../../engines/blobs/blobs.ts';
import type { HoldReason } from '../../engines/database/schema.ts';
import { quarantine } from '../../moderation/quarantine.ts';
import { removeForCase } from '../../moderation/remove-for-case.ts';
import { hours, minutes } from '../../lib/clock.ts';
import { type FindingKind, type Inspection, pageSize } from './inspection.ts';
import { pagesById } from './pages.ts';

interface FileFacts {
  readonly id: string;
  readonly name: string;
  readonly deleted_at: number | null;
  readonly size: number;
  readonly sha256: string;
  readonly blob_id: BlobId;
  readonly blob_size: number | null;
  readonly blob_sha256: string | null;
  readonly held_for: HoldReason | null;
  readonly held_at: number | null;
  readonly scan_state: string | null;
  readonly blocked_for: HoldReason | null;
  readonly blocked_as: string | null;
  readonly blocked_at: number | null;
  readonly open_case: string | null;
  readonly closed_at: number | null;
  readonly slots_used: number | null;
}

/**
 * Checks that every live file has a blob of its size and digest and an owner whose account is open, and that no
 * withheld file is live.
 */
export async function checkFiles(inspection: Inspection): Promise<void> {
  const { signal, suspect, checked } = inspection;
  const read = (after: string) => readFacts(inspection, { after });
  for await (const page of pagesById(signal, ({ id }: FileFacts) => id, read)) {
    for (const file of page) {
      const [fault] = faultsOf(inspection, file);
      if (!fault) continue;
      const again = async () => {
        const [now] = await readFacts(inspection, { only: file.id });
        return now !== undefined && faultsOf(inspection, now).some(({ kind }) => kind === fault.kind);
      };
      await suspect({ subject: file.name, ...fault, again });
    }
    checked('files', page.length);
  }
}

interface Fault {
  readonly kind: FindingKind;
  readonly says: string;
  readonly mend?: () => Promise<boolean>;
}

/** Removing a file from many accounts takes a moment. */
const removalTakes = minutes(1);

function faultsOf(inspection: Inspection, file: FileFacts): Fault[] {
  const { name } = file;
  if (file.deleted_at !== null) return [];
  if (file.blob_size === null) return [{ kind: 'blob-missing', says: `File ${name} has no blob ${file.blob_id}.` }];
  if (file.blob_size !== file.size || file.blob_sha256 !== file.sha256)
    return [{ kind: 'blob-differs', says: `File ${name} and its blob ${file.blob_id} differ in size or SHA-256.` }];
  if (file.closed_at !== null)
    return isBeingEmptied(inspection, file)
      ? []
      : [{ kind: 'owner-closed', says: `File ${name} is not deleted, although its account is.` }];
  const held = holdOf(file);
  const since = Math.max(file.held_at ?? 0, file.blocked_at ?? 0);
  if (!held || since > inspection.context.clock.now() - removalTakes) return [];
  return [
    {
      kind: 'withheld-servable',
      says: `File ${name} can be downloaded, although its bytes are withheld: ${held.reason}, ${held.reference}.`,
      mend: () => withhold(inspection, file, held),
    },
  ];
}

/** The job that empties closed accounts takes moments; it finds accounts by their slots. */
const emptyingTakes = hours(1);

const isBeingEmptied = ({ context }: Inspection, { closed_at, slots_used }: FileFacts): boolean =>
  (slots_used ?? 0) > 0 && (closed_at ?? 0) > context.clock.now() - emptyingTakes;

interface Held {
  readonly reason: HoldReason;
  readonly reference: string;
}

function holdOf({ open_case, blocked_for, blocked_as, held_for, scan_state }: FileFacts): Held | null {
  if (open_case !== null) return { reason: 'takedown', reference: open_case };
  if (blocked_for !== null) return { reason: blocked_for, reference: blocked_as ?? '' };
  const reason = scan_state === 'infected' ? 'malware' : held_for;
  return reason && { reason, reference: 'unknown' };
}

/** Does what should have happened to all files with these bytes. */
async function withhold(
  { context, actor, memory }: Inspection,
  { name, sha256, blob_id: blobId }: FileFacts,
  { reason, reference }: Held,
): Promise<boolean> {
  await recordAction(context, actor, { subject: name, reference, details: { sha256, withheld: reason } });
  const bytes = { sha256, blobId };
  const { files } =
    reason === 'malware'
      ? await quarantine(context, memory, bytes, reference)
      : await removeForCase(context, memory, bytes, reference);
  return files > 0;
}

async function readFacts(
  { context: { db } }: Inspection,
  { after = '', only }: { readonly after?: string; readonly only?: string },
): Promise<FileFacts[]> {
  const { rows } = await sql<FileFacts>`
    SELECT page.id, page.name, page.deleted_at, page.size, page.sha256, page.blob_id,
      blobs.size AS blob_size, blobs.sha256 AS blob_sha256, blobs.held_for, blobs.held_at, blobs.scan_state,
      blocked_digests.reason AS blocked_for, blocked_digests.reference AS blocked_as, blocked_digests.blocked_at,
      (SELECT min(reference) FROM takedown_cases WHERE takedown_cases.sha256 = page.sha256 AND closed_at IS NULL)
        AS open_case,
      accounts.closed_at, accounts.slots_used
    FROM (
      SELECT id, name, deleted_at, size, sha256, blob_id, account_id FROM files
      WHERE ${only === undefined ? sql`id > ${after}` : sql`id = ${only}`} ORDER BY id LIMIT ${pageSize}
    ) AS page
    LEFT JOIN blobs ON blobs.id = page.blob_id
    LEFT JOIN blocked_digests ON blocked_digests.sha256 = page.sha256
    LEFT JOIN accounts ON accounts.id = page.account_id
    ORDER BY page.id`.execute(db);
  return rows;
}
