import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import type { CompiledQuery } from 'kysely';
import type { BlobId } from '../storage/blobs/blobs.ts';
import { type Database, DatabaseUnavailable } from '../storage/db/database.ts';
import { prepared } from '../storage/db/prepared.ts';
import type { Flag, HoldReason } from '../storage/db/schema.ts';

export interface PublicFile {
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
  readonly blobId: BlobId;
  readonly size: number;
  readonly sha256: string;
  readonly extension: string;
  readonly originalName: string;
  readonly uploadedAt: number;
  readonly lastAccessedAt: number;
  readonly autoDeleteDays: number;
  /** 1 while the file waits for its first malware scan and must not be served. */
  readonly pendingScan: Flag;
  readonly level: PlanLevel;
  readonly ownLimits: string;
}

/** It rejects with `DatabaseUnavailable` if nobody can tell now. */
export type LookUp = (name: string) => Promise<PublicFile | undefined>;

export interface Download {
  readonly kind: 'file' | 'sha256' | 'sha1';
  readonly file: PublicFile;
}

/** A file whose own extension is `sha256` is returned itself, and its digest is at `.sha256.sha256`. */
export async function findDownload(look: LookUp, target: string): Promise<Download | null> {
  const [, name, rest = ''] = /^([0-9A-Za-z]{4,64})((?:\.[0-9A-Za-z]{1,16}){0,2})$/.exec(target) ?? [];
  const file = name === undefined ? undefined : await look(name);
  if (!file) return null;
  const suffix = rest.toLowerCase();
  const own = file.extension === '' ? '' : `.${file.extension}`;
  if (suffix === '' || suffix === own) return { kind: 'file', file };
  const digests = ['sha256', 'sha1'] as const;
  const kind = digests.find((each) => suffix === `.${each}` || suffix === `${own}.${each}`);
  return kind ? { kind, file } : null;
}

/** Why the link, for which there is no download, leads to no file any more; undefined if nobody withholds it. */
export async function findReasonWithheld(db: Database, target: string): Promise<HoldReason | undefined> {
  const [name = ''] = /^[0-9A-Za-z]{4,64}(?=\.|$)/.exec(target) ?? [];
  const file = await db
    .selectFrom('files')
    .select('deleted_because')
    .where('name', '=', name)
    .where('deleted_because', 'in', ['malware', 'takedown'])
    .executeTakeFirst();
  return file?.deleted_because as HoldReason | undefined;
}

type Batch = Map<string, PromiseWithResolvers<PublicFile | undefined>>;

const largestBatch = 64;
const queriesAtOnce = 2;

/** The only query of a download. While two run, the next one gathers its names: a round trip costs more than 64 names. */
export function createLookUp(db: Database): LookUp {
  const queryFor = createQueries(db);
  const gathering: Batch = new Map();
  let running = 0;
  const take = () => {
    const batch: Batch = new Map([...gathering].slice(0, largestBatch));
    for (const name of batch.keys()) gathering.delete(name);
    return batch;
  };
  const answer = async (batch: Batch) => {
    try {
      const { rows } = await db.executeQuery(queryFor([...batch.keys()]));
      const found = new Map(rows.map((row) => [row.name, row]));
      for (const [name, { resolve }] of batch) resolve(found.get(name));
    } catch (error) {
      const failed = error instanceof DatabaseUnavailable ? [...batch.values(), ...gathering.values()] : batch.values();
      if (error instanceof DatabaseUnavailable) gathering.clear();
      for (const { reject } of failed) reject(error);
    }
  };
  const answerAll = async () => {
    while (gathering.size > 0) await answer(take());
    running -= 1;
  };
  return (name) => {
    const known = gathering.get(name);
    if (known) return known.promise;
    const asked = Promise.withResolvers<PublicFile | undefined>();
    gathering.set(name, asked);
    // Requests in the same turn of the event loop share a query.
    if (gathering.size === 1 && running < queriesAtOnce) {
      running += 1;
      setImmediate(() => void answerAll());
    }
    return asked.promise;
  };
}

/** Compiled once for each power of two, since building a query costs more than running it. */
function createQueries(db: Database): (names: readonly string[]) => CompiledQuery<PublicFile> {
  const compiled = new Map<number, CompiledQuery<PublicFile>>();
  return (names) => {
    const size = 2 ** Math.ceil(Math.log2(names.length));
    const query = compiled.get(size) ?? compile(db, size);
    compiled.set(size, query);
    return { ...query, parameters: Array.from({ length: size }, (_, at) => names[at] ?? names[0]) };
  };
}

function compile(db: Database, size: number): CompiledQuery<PublicFile> {
  const names = Array.from({ length: size }, () => '');
  return db
    .selectFrom('files')
    .innerJoin('accounts', 'accounts.id', 'files.account_id')
    .select([
      'files.name',
      'files.id',
      'files.account_id as accountId',
      'files.blob_id as blobId',
      'files.size',
      'files.sha256',
      'files.extension',
      'files.original_name as originalName',
      'files.uploaded_at as uploadedAt',
      'files.last_accessed_at as lastAccessedAt',
      'files.pending_scan as pendingScan',
      'accounts.level',
      'accounts.own_limits as ownLimits',
      'accounts.inactivity_auto_delete_days as autoDeleteDays',
    ])
    .where('files.deleted_at', 'is', null)
    .where('accounts.closed_at', 'is', null)
    .where('files.name', 'in', names)
    .modifyEnd(prepared)
    .$castTo<PublicFile>()
    .compile();
}
