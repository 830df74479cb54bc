import { expect, test } from 'vitest';
import { onPostgres } from '../../server/test/harness/plan-of.ts';
import { besiege, noNamespace } from '../../server/test/harness/siege.ts';
import { kinds } from '../../server/test/harness/strangers.ts';

const reason = onPostgres ? 'the database has no part in it' : noNamespace();
const MB = 1_000_000;

/** 1,000 connections take more than a minute, 4,000 and the readers as long again. */
const isLong = process.env['LONG_DRILL'] !== undefined;
const sizes = isLong
  ? ([
      [111, 300 * MB],
      [500, 600 * MB],
    ] as const)
  : ([[111, 300 * MB]] as const);

test.skipIf(reason !== null).each(sizes)(
  `%i slow connections of each kind leave a normal client alone, and all of them end (${reason ?? 'in a network of its own'})`,
  async (count, mostRss) => {
    const siege = await besiege(Object.fromEntries(Object.keys(kinds).map((kind) => [kind, count])));
    console.log(siege);
    expect(siege.connections.most).toBeGreaterThan(count * 5);
    expect(siege.failed).toEqual([]);
    expect(siege.requests).toBeGreaterThan(100);
    expect(siege.rss.most).toBeLessThan(mostRss);
    expect(siege.queued.most).toBeLessThan(170 * MB);
    expect(siege.connections.after).toBe(0);
    expect(siege.queued.after).toBe(0);
    expect(siege.descriptors.after).toBeLessThan(siege.descriptors.before + 20);
  },
);

test.skipIf(reason !== null || !isLong)(
  `1,000 readers that stop are bounded by the kernel's own limit as well (${reason ?? 'in a network of its own'})`,
  async () => {
    const siege = await besiege({ 'reader that stops': 1_000 }, { lowat: 131_072 });
    console.log(siege);
    expect(siege.failed).toEqual([]);
    expect(siege.rss.most).toBeLessThan(400 * MB);
    expect(siege.queued.most).toBeLessThan(170 * MB);
    expect(siege.connections.after).toBe(0);
    expect(siege.log).not.toContain('tcp_notsent_lowat');
  },
);
