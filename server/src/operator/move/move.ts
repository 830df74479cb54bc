import type { Context } from '../../context.ts';
import { checkStorage, readMark, serviceIdFact } from '../../engines/blobs/storage-owner.ts';
import { readMove } from '../../engines/database/moves.ts';
import type { MoveRow } from '../../engines/database/schema.ts';
import { readFact } from '../../engines/database/service-facts.ts';
import type { Actor } from '../record-action.ts';
import { type BytesDone, type CopiedBytes, copyBytes } from './copy-bytes.ts';
import { compareRows, copyRows } from './copy-rows.ts';
import { nameFull, refuseSmallStorage } from './full-targets.ts';
import { type HeldMove, holdMove, refuseOtherPlaces } from './hold-move.ts';
import { endLastStep, prepareForRows, refuseChangesForMove, returnToCopying } from './last-step.ts';
import { claimTargets, placesIn, type Targets } from './targets.ts';
import { UnusableMove } from './unusable-move.ts';

export interface MoveOptions {
  readonly actor: Actor;
  readonly signal: AbortSignal;
  /** Ends before the last step. */
  readonly preparesOnly: boolean;
  /** Moves the service although bytes of files are missing or damaged: those files stay broken in the new place. */
  readonly leavesDamaged: boolean;
  readonly tell: (event: MoveEvent) => void;
  readonly progress: (done: MoveProgress) => void;
}

export type MoveEvent =
  | 'waiting' // for another command, or for the end of its hold
  | 'copying'
  | 'read-only'
  | 'rows copied'
  | 'accepts changes again'
  | 'still read-only'
  | 'moved';

export type MoveProgress =
  | ({ readonly of: 'bytes'; readonly total: { readonly blobs: number; readonly bytes: number } } & BytesDone)
  | { readonly of: 'rows' | 'compared rows'; readonly rows: number };

export interface Moved {
  readonly isDone: boolean;
  readonly bytes: CopiedBytes | null;
  /** Rows that were copied and compared; null if the database stays. */
  readonly rows: number | null;
  /** How long the service accepted no changes, in milliseconds. */
  readonly readOnlyFor: number;
}

/**
 * Moves the service to the targets. The bytes are copied first, while it runs. In the last step it accepts no changes: the
 * rows are copied, and the bytes that have come in between. Whatever stops this, it can be called again and goes on.
 * @throws {UnusableMove} when a target cannot be taken, or something here is damaged.
 */
export async function move(context: Context, targets: Targets, options: MoveOptions): Promise<Moved> {
  const { db, clock } = context;
  const places = placesIn(targets);
  const service = await idOfService(context);
  const begun = await readMove(db, 'out');
  refuseOtherPlaces(begun, places);
  const claim = (stage: MoveRow['stage']) =>
    claimTargets(targets, { service, now: clock.now(), hasEnded: stage === 'finishing' || stage === 'moved' });
  await claim(begun?.stage ?? 'copying');
  const holding = { signal: options.signal, onWait: () => options.tell('waiting') };
  await using held = await holdMove(context, { service, ...places }, holding);
  const { stage } = held.row;
  // The command that held it may have ended the move in the meantime.
  await claim(stage);
  if (stage === 'moved') return nothingLeft;
  if (stage === 'copying') {
    const copied = await naming(targets, () => copyWhileServing(context, targets, held, options));
    if (options.preparesOnly) return { ...nothingLeft, isDone: false, bytes: copied };
    refuseDamaged(copied, options);
  } else if (options.preparesOnly) throw new UnusableMove('The last step of this move has begun. Leave out --prepare.');
  try {
    if (stage === 'copying') await refuseChangesForMove(context, options.actor, held, targets);
    options.tell('read-only');
    const since = (await readMove(db, 'out'))?.stage_since ?? clock.now();
    const isComplete = stage === 'finishing' && (await readIncoming(targets)) !== 'copying';
    const done = isComplete ? nothingLeft : await copyTheRest(context, targets, held, options);
    await endLastStep(context, held, targets);
    options.tell('moved');
    return { ...done, readOnlyFor: Math.max(0, clock.now() - since) };
  } catch (error) {
    await acceptChangesAgain(context, held, options);
    throw nameFull(error, targets);
  }
}

/** Null if the database stays, or a server already uses the new one. */
async function readIncoming({ database }: Targets): Promise<MoveRow['stage'] | null> {
  return (database && (await readMove(database.at, 'in'))?.stage) ?? null;
}

async function naming<T>(targets: Targets, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw nameFull(error, targets);
  }
}

const nothingLeft: Moved = { isDone: true, bytes: null, rows: null, readOnlyFor: 0 };

/**
 * Returns the id that the database and the storage carry. While a move ends, and after it, the storage has another mark.
 * @throws {OtherStorage}
 */
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

/** Fewer are left to the last step: they take a moment. */
const fewBlobs = 100;
const mostRounds = 5;

/** Copies bytes until little is left that was stored meanwhile. */
async function copyWhileServing(
  context: Context,
  targets: Targets,
  held: HeldMove,
  options: MoveOptions,
): Promise<CopiedBytes | null> {
  if (!targets.bytes) return null;
  await refuseSmallStorage(targets, (await totalOf(context)).bytes);
  options.tell('copying');
  let sum: CopiedBytes | null = null;
  for (let round = 0; round < mostRounds; round += 1) {
    const copied: CopiedBytes = await copyAll(context, targets, held, options.progress, false);
    sum = sum ? { ...copied, copied: sum.copied + copied.copied, kept: sum.kept } : copied;
    if (copied.copied < fewBlobs) break;
  }
  return sum;
}

async function copyAll(
  context: Context,
  { bytes }: Targets,
  { signal, confirm }: HeldMove,
  progress: MoveOptions['progress'],
  removesOthers: boolean,
): Promise<CopiedBytes> {
  if (!bytes) throw new Error('unreachable: the bytes stay where they are');
  const total = await totalOf(context);
  const onProgress = (done: BytesDone) => progress({ of: 'bytes', total, ...done });
  return copyBytes(context.db, context.blobs, bytes.at, {
    signal,
    beforeRemoval: removesOthers ? confirm : null,
    onProgress,
  });
}

async function totalOf({ db }: Context): Promise<{ blobs: number; bytes: number }> {
  const { blobs, bytes } = await db
    .selectFrom('blobs')
    .select((eb) => [eb.fn.countAll<number>().as('blobs'), eb.fn.sum<number | string | null>('size').as('bytes')])
    .executeTakeFirstOrThrow();
  // PostgreSQL returns sums of bigint in a wider type, as text.
  return { blobs, bytes: Number(bytes ?? 0) };
}

function refuseDamaged(copied: CopiedBytes | null, { leavesDamaged }: MoveOptions): void {
  const { missing = [], damaged = [] } = copied ?? {};
  const lost = [...missing, ...damaged];
  if (lost.length === 0 || leavesDamaged) return;
  const named = lost.slice(0, 5).join(', ') + (lost.length > 5 ? ' and others' : '');
  throw new UnusableMove(
    `Blobs that files need are missing (${missing.length}) or damaged (${damaged.length}) here: ${named}. Repair them, see ` +
      'holdfast fsck --scrub, or give --leave-damaged to move without them.',
  );
}

async function copyTheRest(context: Context, targets: Targets, held: HeldMove, options: MoveOptions): Promise<Moved> {
  const { signal } = held;
  const { database } = targets;
  let rows: number | null = null;
  if (database) {
    const guard = await prepareForRows(context, database.at);
    const onProgress = (done: number) => options.progress({ of: 'rows', rows: done });
    await copyRows(context.db, database.at, { signal, onProgress, guard });
    options.tell('rows copied');
  }
  const bytes = targets.bytes ? await copyAll(context, targets, held, options.progress, true) : null;
  refuseDamaged(bytes, options);
  if (database) {
    const onProgress = (done: number) => options.progress({ of: 'compared rows', rows: done });
    rows = await compareRows(context.db, database.at, { signal, onProgress });
  }
  return { isDone: true, bytes, rows, readOnlyFor: 0 };
}

/** A failure must not leave the service read-only until somebody sees it. Once the move is ending, it can only go on. */
async function acceptChangesAgain(context: Context, held: HeldMove, { tell }: MoveOptions): Promise<void> {
  const returned = await returnToCopying(context, held).catch(() => false);
  if (returned) tell('accepts changes again');
  else if ((await readMove(context.db, 'out').catch(() => null))?.stage !== 'copying') tell('still read-only');
}
