import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import type { CompiledQuery } from 'kysely';
import type { BlobId } from '../engines/blobs/blobs.ts';
import type { Database } from '../engines/database/database.ts';

/** A live file as its public link knows it. */
export interface PublicFile {
  readonly id: string;
  readonly blobId: BlobId;
  /** Bytes. */
  readonly size: number;
  /** Hexadecimal, lower case. */
  readonly sha256: string;
  readonly extension: string;
  readonly originalName: string;
  readonly uploadedAt: number;
  /** The owner's plan. */
  readonly level: PlanLevel;
}

export interface Download {
  /** The bytes of the file, or the text of its digest. */
  readonly kind: 'file' | 'digest';
  readonly file: PublicFile;
}

/**
 * What `/file/{target}` stands for, or null. `.sha256` after a name or after name and extension asks for the digest; a
 * file whose own extension is `sha256` is meant itself, and its digest is at `.sha256.sha256` (decisions section 4).
 */
export function createFinder(db: Database): (target: string) => Promise<Download | null> {
  const look = createLookUp(db);
  return async (target) => {
    const [, name, rest = ''] = /^([0-9A-Za-z]{4,64})((?:\.[0-9A-Za-z]{1,16}){0,2})$/.exec(target) ?? [];
    if (name === undefined) return null;
    const file = await look(name);
    if (!file) return null;
    const suffix = rest.toLowerCase();
    const own = file.extension === '' ? '' : `.${file.extension}`;
    if (suffix === '' || suffix === own) return { kind: 'file', file };
    return suffix === '.sha256' || suffix === `${own}.sha256` ? { kind: 'digest', file } : null;
  };
}

/** The one query of a download. It is compiled once: building it each time costs more than running it. */
function createLookUp(db: Database): (name: string) => Promise<PublicFile | undefined> {
  const query = db
    .selectFrom('files')
    .innerJoin('accounts', 'accounts.id', 'files.account_id')
    .select([
      'files.id',
      'files.blob_id as blobId',
      'files.size',
      'files.sha256',
      'files.extension',
      'files.original_name as originalName',
      'files.uploaded_at as uploadedAt',
      'accounts.level',
    ])
    .where('files.deleted_at', 'is', null)
    .where('accounts.closed_at', 'is', null)
    .where('files.name', '=', '')
    .compile();
  return async (name) => {
    const bound: CompiledQuery<PublicFile> = { ...query, parameters: [name] };
    return (await db.executeQuery(bound)).rows[0];
  };
}
