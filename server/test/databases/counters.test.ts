import { countersConformance } from '../../src/engines/counters/conformance.ts';
import { startServer } from '../harness/start-server.ts';

countersConformance(async () => {
  const server = await startServer({}, { limits: 'real' });
  return {
    counters: server.context.counters,
    advance: (ms) => server.clock.advance(ms),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
});
