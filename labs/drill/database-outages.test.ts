/** What happens to PostgreSQL while uploads, calls and downloads run, for OUTAGE_SECONDS each. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openSlowRelay } from '../../server/test/harness/database-relay.ts';
import { duringLoad, type Report } from './outage.ts';
import { startServerProcess } from '../../server/test/harness/server-process.ts';

const postgres = process.env['TEST_DATABASE'] === 'postgres';
const seconds = process.env['OUTAGE_SECONDS'];
const ms = Number(seconds ?? 5) * 1000;
const timeout = 120_000 + 3 * ms;
/** Three take too long to run every time. */
const underLoad = postgres && seconds !== undefined;

function expectHeld(report: Report): void {
  if (seconds !== undefined) console.log(expect.getState().currentTestName, report);
  expect(report).toMatchObject({ exit: null, lost: 0, refusedWithoutRetryAfter: 0 });
  expect(Object.keys(report.refused).filter((status) => status !== '503')).toEqual([]);
}

test.runIf(postgres)('PostgreSQL is stopped for a while', { timeout }, async () => {
  expectHeld(
    await duringLoad(async ({ postgres: server }) => {
      await server.stop();
      await wait(ms);
      await server.start();
    }),
  );
});

test.runIf(postgres)('PostgreSQL hangs for a while', { timeout }, async () => {
  expectHeld(
    await duringLoad(async ({ postgres: server }) => {
      await server.freeze();
      await wait(ms);
      await server.thaw();
    }),
  );
});

test.runIf(postgres)('PostgreSQL is restarted five times', { timeout }, async () => {
  expectHeld(
    await duringLoad(async ({ postgres: server, recovered }) => {
      for (let times = 0; times < 5; times += 1) {
        await server.stop();
        await server.start();
        await recovered();
      }
    }),
  );
});

test.runIf(underLoad)('a process of PostgreSQL is killed', { timeout }, async () => {
  expectHeld(
    await duringLoad(async ({ postgres: server, recovered }) => {
      for (let times = 0; times < 3; times += 1) {
        await server.crash();
        await recovered();
      }
    }),
  );
});

test.runIf(postgres)('the connections of the server are terminated in their transactions', { timeout }, async () => {
  expectHeld(
    await duringLoad(async ({ connect }) => {
      const client = await connect();
      for (let times = 0; times < 5; times += 1) {
        await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
        await wait(ms / 5);
      }
      await client.end();
    }),
  );
});

test.runIf(underLoad)('other programs take the connections of PostgreSQL', { timeout }, async () => {
  expectHeld(
    await duringLoad(
      async ({ connect }) => {
        const clients = [await connect()];
        // Frees those of the server, so that the others take them.
        await clients[0]?.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
        for (let free = true; free;) {
          const client = await connect().catch(() => null);
          if (client) clients.push(client);
          else free = false;
        }
        await wait(ms);
        for (const client of clients) await client.end();
      },
      { settings: ['max_connections=30'] },
    ),
  );
});

test.runIf(underLoad)('PostgreSQL is too slow to be of use', { timeout }, async () => {
  let slow = (_ms: number) => {};
  expectHeld(
    await duringLoad(
      async () => {
        slow(3_000);
        await wait(ms);
        slow(0);
      },
      {
        through: async (url) => {
          const relay = await openSlowRelay(url);
          slow = relay.delay;
          return relay.url;
        },
      },
    ),
  );
});

test.runIf(postgres)(
  'a server whose database stays away ends after a minute with one sentence',
  { timeout },
  async () => {
    await using server = await startServerProcess({ DATABASE_URL: 'postgres://ada:secret@127.0.0.1:1/x' });
    expect(await server.ended).toBe(1);
    expect(server.log.at(-1)).toMatch(/^DATABASE_URL cannot be used: .*ECONNREFUSED.*\.$/);
    expect(server.log.length).toBeLessThanOrEqual(8);
    expect(server.log.join('')).not.toContain('secret');
  },
);
