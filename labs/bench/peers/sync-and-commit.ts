/**
 * The least that storing small files durably takes: write each file, sync it, rename it, sync the folder and commit a
 * row to SQLite, one after the other and without HTTP. `sync-and-commit.ts FOLDER COUNT SIZE` prints the seconds.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const [, , folder = '', count = '', size = ''] = process.argv;
const files = Array.from({ length: Number(count) }, () => randomBytes(Number(size)));
const parent = openSync(folder, 'r');
using database = new DatabaseSync(join(folder, 'rows.db'));
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
database.exec('CREATE TABLE IF NOT EXISTS files (id INTEGER PRIMARY KEY, name TEXT UNIQUE, size INTEGER)');
const insert = database.prepare('INSERT INTO files (name, size) VALUES (?, ?)');

const start = performance.now();
for (const bytes of files) {
  const path = join(folder, bytes.toString('hex', 0, 16));
  const file = openSync(`${path}.tmp`, 'wx');
  writeSync(file, bytes);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.tmp`, path);
  fsyncSync(parent);
  insert.run(path, bytes.length);
}
console.log((performance.now() - start) / 1000);
