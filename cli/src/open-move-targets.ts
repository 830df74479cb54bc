import type { MoveTargets } from '@holdfast/server/src/config/move-targets.ts';
import { openSetting } from '@holdfast/server/src/config/setting-errors.ts';
import type { Context } from '@holdfast/server/src/context.ts';
import { openBlobs, openOtherDatabase } from '@holdfast/server/src/open-engines.ts';
import { EmptyDatabase } from '@holdfast/server/src/storage/db/database.ts';
import type { Targets } from '@holdfast/server/src/operator/move/targets.ts';

/**
 * Opens the places that a service is moved to. An empty database gets the tables of this version; one of another version is
 * refused, and not changed.
 * @throws {UnusableSetting}
 */
export async function openMoveTargets(
  context: Pick<Context, 'db' | 'log'>,
  { database, blobs }: MoveTargets,
): Promise<Targets & AsyncDisposable> {
  const { log } = context;
  const opened = new AsyncDisposableStack();
  try {
    const db =
      database &&
      (await openSetting('--to-database', async () => {
        try {
          return await openOtherDatabase(database.engine, log, 'as it is');
        } catch (error) {
          if (!(error instanceof EmptyDatabase)) throw error;
          return openOtherDatabase(database.engine, log, 'migrate');
        }
      }));
    if (db) opened.defer(() => db.destroy());
    const store = blobs && opened.use(await openSetting('--to-blobs', () => openBlobs({ blobs: blobs.engine })));
    const closing = opened.move();
    return {
      database: db && database && { at: db, place: database.place },
      bytes: store && blobs && { at: store, place: blobs.place },
      [Symbol.asyncDispose]: () => closing.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}
