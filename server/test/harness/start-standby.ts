import { execFile } from 'node:child_process';
import { chown, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type PostgresPlace, type PostgresServer, startPostgres } from '@holdfast/test-support/start-postgres.ts';

/** Starts a hot standby: a copy of a running server that follows its changes and can be read. */
export function startStandby(primary: PostgresServer): Promise<PostgresServer> {
  return startPostgres([], undefined, (place) => copyRunning(primary, place));
}

/** By the "low-level API" of PostgreSQL (25.3.4), because the npm package has no `pg_basebackup`. */
async function copyRunning({ url, data: from }: PostgresServer, place: PostgresPlace): Promise<void> {
  const client = new pg.Client(`${url}/postgres`);
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('standby', fast => true)`);
    await promisify(execFile)('cp', ['-a', `${from}/.`, place.data]);
    const { rows } = await client.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
    );
    await rm(join(place.data, 'postmaster.pid'), { force: true });
    await writeFiles(place, {
      backup_label: rows[0]?.labelfile ?? '',
      'standby.signal': '',
      'postgresql.auto.conf': `primary_conninfo = 'host=127.0.0.1 port=${new URL(url).port} user=holdfast'\n`,
    });
  } finally {
    await client.end();
  }
}

async function writeFiles({ data, options }: PostgresPlace, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(data, name), text);
    if (options.uid !== undefined && options.gid !== undefined) await chown(join(data, name), options.uid, options.gid);
  }
}
