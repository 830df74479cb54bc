import { pathToFileURL } from 'node:url';
import { backup, DatabaseSync } from 'node:sqlite';

/** Copies a database that others may be changing, as it is at one moment. */
export async function copySqlite(path: string, target: string): Promise<void> {
  using source = new DatabaseSync(path, { readOnly: true });
  // In one step: a copy in several begins again whenever another process has written in between.
  await backup(source, target, { rate: 2 ** 31 - 1 });
}

/** Looks up blobs in a copy of a database, which may be of an earlier version. */
export function openBlobLookUp(path: string): Disposable & { has(id: string): boolean } {
  // Immutable: nothing is written beside it.
  const db = new DatabaseSync(new URL(`${pathToFileURL(path).href}?immutable=1`), { readOnly: true });
  const find = db.prepare('SELECT 1 FROM blobs WHERE id = ?');
  return { has: (id) => find.get(id) !== undefined, [Symbol.dispose]: () => db.close() };
}
