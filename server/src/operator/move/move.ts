import type { Context } from '../../context.ts';
import { checkStorage, readMark, serviceIdFact } from '../../storage/blobs/storage-owner.ts';
import { placesOf, readMove } from '../../storage/db/moves.ts';
import type { MoveRow } from '../../storage/db/schema.ts';
import { readFact } from '../../storage/db/service-facts.ts';
import { type CopiedBlobs, copyBlobs } from '../backup/copy-blobs.ts';
import type { Actor } from '../audit.ts';
import { copyAllRows, endLastStep, refuseChangesForMove, returnToCopying } from './last-step.ts';
import { claimTargets, type Targets, UnusableMove } from './targets.ts';

interface MoveOptions {
  readonly actor: Actor;
  readonly signal: AbortSignal;
  readonly preparesOnly: boolean;
  readonly leavesDamaged: boolean;
  readonly tell: (event: MoveEvent) => void;
  readonly progress: (of: 'blob' | 'row', done: number) => void;
}

export type MoveEvent = 'copying' | 'read-only' | 'rows copied' | 'accepts changes again' | 'still read-only' | 'moved';

export interface Moved {
  readonly isDone: boolean;
  readonly bytes: CopiedBlobs | null;
  /** Null if the database stays, or an earlier run has copied them. */
  readonly rows: number | null;
  readonly readOnlyFor: number;
}

/**
 * Copies the bytes while the service runs. In the last step it accepts no changes: the bytes that have come in between
 * are copied, and then the rows in one transaction. Whatever stops this, it can be called again and goes on.
 */
export async function move(context: Context, targets: Targets, options: MoveOptions): Promise<Moved> {
  const { db, clock } = context;
  const begun = await begin(context, targets);
  if (begun.stage === 'moved') return nothingLeft;
  let bytes: CopiedBlobs | null = null;
  if (begun.stage === 'copying') {
    bytes = await copyWhileServing(context, targets, options);
    if (options.preparesOnly) return { ...nothingLeft, isDone: false, bytes };
    refuseDamaged(bytes, options);
  } else if (options.preparesOnly) throw new UnusableMove('The last step of this move has begun. Leave out --prepare.');
  let row = begun;
  try {
    if (begun.stage === 'copying') row = await refuseChangesForMove(context, options.actor, options.signal);
    options.tell('read-only');
    let rows: number | null = null;
    if (row.stage === 'read-only') {
      bytes = await copyBytes(context, targets, options, true);
      refuseDamaged(bytes, options);
      const onProgress = (done: number) => options.progress('row', done);
      rows = await copyAllRows(context, targets, row, { signal: options.signal, onProgress });
      options.tell('rows copied');
    }
    await endLastStep(context, targets, row);
    options.tell('moved');
    return { isDone: true, bytes, rows, readOnlyFor: Math.max(0, clock.now() - row.stage_since) };
  } catch (error) {
    // A failure must not leave the service read-only until somebody sees it, but one of this run only.
    const isBack = begun.stage === 'copying' && (await returnToCopying(context, row).catch(() => false));
    if (isBack) options.tell('accepts changes again');
    else if ((await readMove(db, 'out').catch(() => null))?.stage !== 'copying') options.tell('still read-only');
    throw error;
  }
}

const nothingLeft: Moved = { isDone: true, bytes: null, rows: null, readOnlyFor: 0 };

async function begin(context: Context, targets: Targets): Promise<MoveRow> {
  const { db, clock } = context;
  const service = await idOfService(context);
  const places = { database_to: targets.database?.place ?? '', bytes_to: targets.bytes?.place ?? '' };
  const claim = (stage: MoveRow['stage']) =>
    claimTargets(targets, { service, now: clock.now(), hasEnded: stage === 'finishing' || stage === 'moved' });
  const row = await readMove(db, 'out');
  if (row && row.stage !== 'copying') {
    if (row.database_to !== places.database_to || row.bytes_to !== places.bytes_to)
      throw new UnusableMove(
        `The last step of a move to ${placesOf(row)} has begun. Name the same places again, or give --cancel.`,
      );
    await claim(row.stage);
    return row;
  }
  await claim('copying');
  await db
    .insertInto('moves')
    .values({ direction: 'out', stage: 'copying', stage_since: clock.now(), service, ...places })
    .onConflict((conflict) => conflict.column('direction').doUpdateSet(places).where('moves.stage', '=', 'copying'))
    .execute();
  const begun = await readMove(db, 'out');
  if (!begun) throw new UnusableMove('The move was canceled.');
  return begun;
}

/** Returns the id that the database and the storage carry. While a move ends, the storage has another mark. */
async function idOfService(context: Context): Promise<string> {
  const { db, blobs } = context;
  if ((await readMove(db, 'in'))?.stage === 'copying')
    throw new UnusableMove('A service is being moved into this database, so it cannot be moved from here.');
  const out = await readMove(db, 'out');
  if (out && out.stage !== 'copying') return out.service;
  const mark = await readMark(blobs);
  if (mark && mark.is !== 'own')
    throw new UnusableMove('The files of this service are not in its storage. Check BLOBS_URL.');
  await checkStorage(context);
  return (await readFact(db, serviceIdFact))?.value ?? '';
}

const fewBlobs = 100;
const mostRounds = 5;

async function copyWhileServing(context: Context, targets: Targets, options: MoveOptions): Promise<CopiedBlobs | null> {
  if (targets.bytes) options.tell('copying');
  let copied = 0;
  for (let round = 1; ; round += 1) {
    const last = await copyBytes(context, targets, options, false);
    copied += last?.copied ?? 0;
    if (!last || last.copied < fewBlobs || round === mostRounds) return last && { ...last, copied };
  }
}

async function copyBytes(
  { db, blobs }: Context,
  { bytes }: Targets,
  { signal, progress }: MoveOptions,
  removesOthers: boolean,
): Promise<CopiedBlobs | null> {
  if (!bytes) return null;
  return copyBlobs(db, blobs, bytes.at, {
    live: db,
    signal,
    onProgress: (done) => progress('blob', done),
    onOther: async (id) => {
      // Purged here after it was copied. A command that was stopped for hours must not remove what a server has stored.
      if (removesOthers && (await readMark(bytes.at))?.is === 'moving-in') await bytes.at.remove(id);
    },
  });
}

function refuseDamaged(copied: CopiedBlobs | null, { leavesDamaged }: MoveOptions): void {
  const { missing = [], damaged = [] } = copied ?? {};
  const lost = [...missing, ...damaged];
  if (lost.length === 0 || leavesDamaged) return;
  const named = lost.slice(0, 5).join(', ') + (lost.length > 5 ? ' and others' : '');
  throw new UnusableMove(
    `Blobs that files need are missing (${missing.length}) or damaged (${damaged.length}) here: ${named}. Repair them, see ` +
      'holdfast fsck --scrub, or give --leave-damaged to move without them.',
  );
}
