/** A connection whose responses are lost while the server responds on others. */
import { expect, test } from 'vitest';
import { openConnections } from '../../src/engines/database/postgres-connections.ts';
import { DatabaseUnavailable } from '../../src/engines/database/database.ts';
import { openSlowRelay } from '../harness/database-relay.ts';
import { newPlace } from '../harness/new-place.ts';

test.runIf(process.env['TEST_DATABASE'] === 'postgres')(
  'a statement without a response fails, and the next one gets another connection',
  async () => {
    const { environment } = await newPlace();
    const relay = await openSlowRelay(environment.DATABASE_URL ?? '');
    const connections = openConnections({ connectionString: relay.url, max: 1 }, { warn: () => {} });
    connections.beginService(300);
    const client = await connections.connect();
    await client.query('select 1', []);
    relay.silence();
    const waiting = [client.query('select 2', []), client.query('select 3', [])];
    for (const each of await Promise.allSettled(waiting))
      expect(each).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) });
    client.release();
    const next = await connections.connect();
    expect(await next.query('select 4 as four', [])).toMatchObject({ rows: [{ four: 4 }] });
    next.release();
    await connections.end();
  },
);
