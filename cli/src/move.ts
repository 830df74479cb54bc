import { type MoveTargets, readMoveTargets } from './move-targets.ts';
import { openSetting } from '@holdfast/server/src/config/setting-errors.ts';
import { openBlobs, openDatabase } from '@holdfast/server/src/context.ts';
import type { CopiedBlobs } from '@holdfast/server/src/operator/backup/copy-blobs.ts';
import { cancelMove } from '@holdfast/server/src/operator/move/cancel-move.ts';
import { move, type Moved } from '@holdfast/server/src/operator/move/move.ts';
import type { Targets } from '@holdfast/server/src/operator/move/targets.ts';
import { EmptyDatabase } from '@holdfast/server/src/storage/db/database.ts';
import { readMove } from '@holdfast/server/src/storage/db/moves.ts';
import type { Command } from 'commander';
import { addCommand } from './add-command.ts';
import { copiedText } from './backup.ts';
import { confirm } from './confirm.ts';
import { WrongUsage } from './explain.ts';
import { count } from './format.ts';
import { openCommand, type Run } from './run.ts';
import { pathFromCaller } from './settings-folder.ts';

interface Options {
  readonly toDatabase?: string;
  readonly toBlobs?: string;
  readonly prepare?: boolean;
  readonly leaveDamaged?: boolean;
  readonly cancel?: boolean;
  readonly yes?: boolean;
}

export function addMove(program: Command): void {
  addCommand(program, 'move', {
    does: 'Move the whole service to another database, another storage, or both.',
    more:
      'The bytes are copied first, while the service runs. In the last step it accepts no changes, and files can be\n' +
      'downloaded: the rows are copied. Then restart it with the settings that are printed. If the command\n' +
      'is stopped or killed, give it again: it continues. The targets must be empty.',
    examples: [
      ['move --to-blobs file:/srv/blobs --prepare', 'copies the bytes so far, and can be repeated at any time'],
      ['move --to-database postgres://holdfast@db/holdfast --to-blobs file:/srv/blobs', 'moves the service'],
      ['move --cancel', 'the service stays here, and accepts changes again'],
    ],
  })
    .option('--to-database <url>', 'the new value of DATABASE_URL')
    .option('--to-blobs <url>', 'the new value of BLOBS_URL')
    .option('--prepare', 'only copy bytes, and leave the last step to another run')
    .option('--leave-damaged', 'move although bytes of files are missing or damaged; those files stay broken')
    .option('--cancel', 'do not move, or return to this place')
    .option('--yes', 'do not ask')
    .action(async (options: Options, command: Command) => {
      if (options.cancel && (options.prepare || options.leaveDamaged))
        throw new WrongUsage('Use --cancel alone, or with the places that it returns from.');
      if (!options.cancel && options.toDatabase === undefined && options.toBlobs === undefined)
        throw new WrongUsage('Name a place with --to-database or --to-blobs.');
      await using run = await openCommand(command, 'as it is', { evenIfMoved: true });
      const urls = fromCaller(options);
      const places = readMoveTargets(urls);
      await (options.cancel ? cancel(run, places, options) : moveTo(run, places, urls, options));
    });
}

/** The paths in them are those of the caller; the settings that are printed have them whole. */
function fromCaller({ toDatabase, toBlobs }: Options): { readonly toDatabase?: string; readonly toBlobs?: string } {
  const whole = (url: string) =>
    url.replace(/^(sqlite:|file:)(.+)$/s, (_, scheme: string, path: string) => scheme + pathFromCaller(path));
  return {
    ...(toDatabase !== undefined && { toDatabase: whole(toDatabase) }),
    ...(toBlobs !== undefined && { toBlobs: whole(toBlobs) }),
  };
}

/** An empty database gets the tables of this version; one of another version is refused, and not changed. */
async function openTargets(
  { context: { log } }: Run,
  { database, blobs }: MoveTargets,
  opened: AsyncDisposableStack,
): Promise<Targets> {
  const openTarget = async ({ engine }: NonNullable<MoveTargets['database']>) => {
    try {
      return await openDatabase(engine, log, 'as it is');
    } catch (error) {
      if (!(error instanceof EmptyDatabase)) throw error;
      return openDatabase(engine, log, 'migrate');
    }
  };
  return {
    database: database && {
      at: opened.use(await openSetting('--to-database', () => openTarget(database), pathOf(database))),
      place: database.place,
    },
    bytes: blobs && {
      at: opened.use(await openSetting('--to-blobs', () => openBlobs({ blobs: blobs.engine }))),
      place: blobs.place,
    },
  };
}

const pathOf = ({ engine }: NonNullable<MoveTargets['database']>) => (engine.engine === 'sqlite' ? engine.path : '');

async function moveTo(
  run: Run,
  places: MoveTargets,
  { toDatabase, toBlobs }: ReturnType<typeof fromCaller>,
  { prepare = false, leaveDamaged = false }: Options,
): Promise<void> {
  const { context, actor, signal, out, progress } = run;
  await using opened = new AsyncDisposableStack();
  const moved = await move(context, await openTargets(run, places, opened), {
    actor,
    signal,
    preparesOnly: prepare,
    leavesDamaged: leaveDamaged,
    tell: (sentence) => {
      progress.end();
      console.error(sentence);
    },
    progress: (of, done) => progress.show(count(done, of)),
  });
  progress.end();
  const settings = {
    ...(toDatabase !== undefined && { DATABASE_URL: toDatabase }),
    ...(toBlobs !== undefined && { BLOBS_URL: toBlobs }),
  };
  const { isDone, bytes, rows, readOnlyFor } = moved;
  const blobs = bytes && { ...bytes, missing: bytes.missing.length, damaged: bytes.damaged.length };
  out.say(
    { done: isDone, rows, blobs, read_only_ms: readOnlyFor, settings },
    isDone ? summary(moved, settings) : prepared(bytes),
  );
}

const lostOf = (bytes: CopiedBlobs | null) => (bytes ? bytes.missing.length + bytes.damaged.length : 0);

function prepared(bytes: CopiedBlobs | null): string {
  if (!bytes) return 'There are no bytes to copy. Leave out --prepare to move the database.';
  const lost = lostOf(bytes);
  return [
    copiedText(bytes),
    ...(lost === 0 ? [] : [`Missing or damaged here: ${lost.toLocaleString('en')}; see holdfast fsck --scrub.`]),
    'Leave out --prepare for the last step.',
  ].join(' ');
}

function summary({ rows, bytes, readOnlyFor }: Moved, settings: Readonly<Record<string, string>>): string {
  const lost = lostOf(bytes);
  const copied = [
    ...(rows === null ? [] : [`${count(rows, 'row')} copied`]),
    ...(bytes === null ? [] : [`${count(bytes.copied + bytes.kept, 'blob')} in the new storage`]),
    ...(lost === 0 ? [] : [`${count(lost, 'blob')} missing or damaged as before`]),
    ...(readOnlyFor === 0 ? [] : [`no changes for ${duration(readOnlyFor)}`]),
  ];
  return [
    `The service is moved${copied.length > 0 ? `: ${copied.join(', ')}` : ''}.`,
    'Stop all its servers, change these settings, and start them:',
    '',
    ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
    '',
    'SECRET_KEY and DATA_DIR with the file secret.key stay. On another machine, take them along; see docs/moving.md.',
  ].join('\n');
}

const duration = (ms: number) => (ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`);

async function cancel(run: Run, places: MoveTargets, { yes = false }: Options): Promise<void> {
  const { context, actor, signal, out, progress } = run;
  const found = await readMove(context.db, 'out');
  const mustClose = found?.stage === 'moved' && places.database === null && places.blobs === null;
  if (mustClose)
    await confirm(
      'The move has ended. If a server has run in the new place since, what was stored there is not here, and it must ' +
        'never run there again. With --to-database and --to-blobs the new place is closed, if no server has started in it.',
      'return',
      { yes, signal },
    );
  await using opened = new AsyncDisposableStack();
  const stage = await cancelMove(context, actor, await openTargets(run, places, opened));
  progress.end();
  out.say(
    { canceled: stage },
    stage === 'copying'
      ? 'The move is canceled. What it has copied can be removed.'
      : 'The move is canceled, and the service accepts changes here again. What it has copied can be removed.',
  );
}
