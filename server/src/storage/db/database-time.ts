import { sql } from 'kysely';

/** The time of PostgreSQL's machine, in milliseconds since the epoch. */
export const databaseTime = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;
