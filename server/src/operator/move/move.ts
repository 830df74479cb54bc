import type { Context } from '../../context.ts';
import { checkStorage, readMark, serviceIdFact } from '../../storage/blobs/storage-owner.ts';
import { placesOf, readMove } from '../../storage/db/moves.ts';
import type { Actor } from '../../storage/db/record-action.ts';
import type { MoveRow } from '../../storage/db/schema.ts';
import { readFact } from '../../storage/db/service-facts.ts';
import { type CopiedBlobs, copyBlobs } from '../backup/copy-blobs.ts';
import { cancelMove } from './cancel-move.ts';
import { copyAllRows, endLastStep, refuseChangesForMove } from './last-step.ts';
import { claimTargets, type Targets, UnusableMove } from './targets.ts';

interface MoveOptions {
  readonly actor: Actor;
  readonly signal: AbortSignal;
  readonly preparesOnly: boolean;
  readonly leavesDamaged: boolean;
  readonly tell: (sentence: string) => void;
  readonly progress: (of: 'blob' | 'row', done: number) => void;
}

export type Moved = Awaited<ReturnType<typeof takeLastStep>>;

const nowhere: Targets = { database: null, bytes: null };
const nothingLeft: Moved = { isDone: true, bytes: null, rows: null, readOnlyFor: 0 };

/**
 * Copies the bytes while the service runs. In the last step it accepts no changes: the bytes that have come in between
 * are copied, and then the rows in one transaction. Whatever stops this, it can be called again and goes on.
 */
export async function move(context: Context, targets: Targets, options: MoveOptions): Promise<Moved> {
  const begun = await begin(context, targets);
  if (begun.stage === 'moved') return nothingLeft;
  if (begun.stage === 'copying') {
    if (targets.bytes) options.tell('Copying bytes. The service keeps running.');
    const bytes = await copyBytes(context, targets, options);
    if (options.preparesOnly) return { ...nothingLeft, isDone: false, bytes };
    // The first copy may take hours, so another one fetches what has come meanwhile.
    refuseDamaged(await copyBytes(context, targets, options), options);
  } else if (options.preparesOnly) throw new UnusableMove('The last step of this move has begun. Leave out --prepare.');
  return takeLastStep(context, targets, options, begun);
}

async function takeLastStep(context: Context, targets: Targets, options: MoveOptions, begun: MoveRow) {
  const { db, clock } = context;
  const { actor, signal, tell, progress } = options;
  const begins = begun.stage === 'copying';
  const row = begins ? await refuseChangesForMove(context, actor, begun) : begun;
  try {
    tell('The service accepts no changes now. Its files can be downloaded.');
    let bytes: CopiedBlobs | null = null;
    /** Stays null if the database stays, or an earlier run has copied them. */
    let rows: number | null = null;
    if (row.stage === 'read-only') {
      bytes = await copyBytes(context, targets, options, { removesOthers: true });
      refuseDamaged(bytes, options);
      const onProgress = (done: number) => progress('row', done);
      if (targets.database) rows = await copyAllRows(db, targets.database.at, row.still, { signal, onProgress });
      tell('The rows are copied.');
    }
    await endLastStep(context, targets, row);
    tell('The new place is complete.');
    return { isDone: true, bytes, rows, readOnlyFor: Math.max(0, clock.now() - row.stage_since) };
  } catch (error) {
    // A failure must not leave the service read-only until somebody sees it, but one of this run only.
    const note = await readMove(db, 'out').catch(() => null);
    const isOurs = begins && note?.stage === 'read-only' && note.still === row.still;
    const isBack = isOurs && (await cancelMove(context, actor, nowhere).catch(() => null)) !== null;
    if (isBack) tell('The service accepts changes again. Nothing was moved.');
    else if (note?.stage !== 'copying')
      tell("The service still accepts no changes: give the command again, or 'holdfast move --cancel' to return.");
    throw error;
  }
}

async function begin(context: Context, targets: Targets): Promise<MoveRow> {
  const { db, clock } = context;
  const places = { database_to: targets.database?.place ?? '', bytes_to: targets.bytes?.place ?? '' };
  const row = await readMove(db, 'out');
  if (row && row.stage !== 'copying') {
    if (placesOf(row) !== placesOf(places))
      throw new UnusableMove(
        `The last step of a move to ${placesOf(row)} has begun. Name the same places again, or give --cancel.`,
      );
    await claimTargets(targets, { service: row.service, now: clock.now(), hasEnded: row.stage !== 'read-only' });
    return row;
  }
  const service = await ownService(context);
  const now = clock.now();
  await claimTargets(targets, { service, now, hasEnded: false });
  await db
    .insertInto('moves')
    .values({ direction: 'out', stage: 'copying', stage_since: now, service, ...places })
    .onConflict((conflict) => conflict.column('direction').doUpdateSet(places).where('moves.stage', '=', 'copying'))
    .execute();
  const begun = await readMove(db, 'out');
  if (!begun) throw new UnusableMove('The move was canceled.');
  return begun;
}

async function ownService(context: Context): Promise<string> {
  const { db, blobs } = context;
  if ((await readMove(db, 'in'))?.stage === 'copying')
    throw new UnusableMove('A service is being moved into this database, so it cannot be moved from here.');
  const mark = await readMark(blobs);
  if (mark && mark.is !== 'own')
    throw new UnusableMove('The files of this service are not in its storage. Check BLOBS_URL.');
  await checkStorage(context);
  return (await readFact(db, serviceIdFact))?.value ?? '';
}

async function copyBytes(
  { db, blobs }: Context,
  { bytes }: Targets,
  { signal, progress }: MoveOptions,
  { removesOthers = false } = {},
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
  const { missing = [], damaged = [], problems = [] } = copied ?? {};
  if (problems[0]) throw new UnusableMove(`The bytes could not be copied. ${problems[0]}`);
  const lost = [...missing, ...damaged];
  if (lost.length === 0 || leavesDamaged) return;
  const named = lost.slice(0, 5).join(', ') + (lost.length > 5 ? ' and others' : '');
  throw new UnusableMove(
    `Blobs that files need are missing (${missing.length}) or damaged (${damaged.length}) here: ${named}. Repair them, see ` +
      'holdfast fsck --scrub, or give --leave-damaged to move without them.',
  );
}
