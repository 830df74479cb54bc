import { type RawBuilder, sql } from 'kysely';
import { seconds } from '../../lib/clock.ts';
import type { LiveTables } from './live-tables.ts';

/** A process that has not renewed its row for this long is considered dead. */
const deadAfter = seconds(5);
/** A time that is further ahead was written before a clock was set back, or before the machine was restarted. */
const leeway = seconds(1);

/** Whether a row of `live_processes`, under this name in the statement, belongs to a process that runs. */
export const isLive = ({ now }: LiveTables, row: string): RawBuilder<number> =>
  sql`${sql.ref(`${row}.seen_at`)} BETWEEN ${now()} - ${sql.lit(deadAfter)} AND ${now()} + ${sql.lit(leeway)}`;
