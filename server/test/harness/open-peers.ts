import { pino } from 'pino';
import type { Database } from '../../src/engines/database/database.ts';
import {
  type LiveTables,
  liveFileOf,
  openPostgresTables,
  openSqliteTables,
} from '../../src/engines/peers/live-tables.ts';
import { openPeers as openPeersOf } from '../../src/engines/peers/open-peers.ts';
import type { Peers } from '../../src/engines/peers/peers.ts';
import type { TestServer } from './start-server.ts';

const log = pino({ enabled: false });

/** Opens the tables that the processes of a server's database share. */
export function openLiveTables({ context: { config, db } }: Pick<TestServer, 'context'>): Promise<LiveTables> {
  return config.database.engine === 'postgres'
    ? openPostgresTables(db)
    : openSqliteTables(liveFileOf(config.database.path), log);
}

/** Another process of a server, as far as the others see it. It looks at them every 50 ms. */
export function openPeers(server: Pick<TestServer, 'context'>): Peers {
  return openPeersOf({ open: () => openLiveTables(server), read: async () => null, region: 'Local', log, every: 50 });
}

interface Killed {
  readonly id: string;
  /** Milliseconds since it last renewed its row. */
  readonly ago?: number;
}

/** Writes the row that a killed process has left behind. */
export async function leaveProcess(tables: LiveTables, { id, ago = 0 }: Killed): Promise<void> {
  const { db, now } = tables;
  await db
    .insertInto('live_processes')
    .values((eb) => ({
      id,
      name: 'elsewhere 1',
      region: 'Local',
      version: '1.0.0',
      started_at: 1,
      seen_at: eb(now(), '-', ago),
      shares: 1,
    }))
    .execute();
}

export async function leaveSlots({ db }: { readonly db: Database }, id: string, key: string, count: number) {
  const rows = Array.from({ length: count }, (_, slot) => ({ key, slot, process_id: id }));
  await db.insertInto('live_slots').values(rows).execute();
}
