import { countersConformance, setBackConformance } from '../../src/storage/counters/conformance.ts';
import { onPostgres } from '../harness/plan-of.ts';
import { startServer } from '../harness/start-server.ts';

async function open() {
  const server = await startServer({}, { limits: 'real' });
  return {
    counters: server.context.counters,
    advance: (ms: number) => server.clock.advance(ms),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

countersConformance(open);
if (onPostgres) setBackConformance(open);
