import { countersConformance, setBackConformance } from '../../src/storage/counters/conformance.ts';
import { days } from '../../src/lib/clock.ts';
import { onPostgres } from '../harness/plan-of.ts';
import { shareServer } from '../harness/server-test.ts';

const { server } = await shareServer({}, { limits: 'real' });

/** A day later every bucket is full again. */
async function open() {
  server.clock.advance(days(1));
  return {
    counters: server.context.counters,
    advance: (ms: number) => server.clock.advance(ms),
    async [Symbol.asyncDispose]() {},
  };
}

countersConformance(open);
if (onPostgres) setBackConformance(open);
