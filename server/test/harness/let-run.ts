import type { TestServer } from './start-server.ts';

/**
 * Moves the clock while the service runs: what its processes note every minute comes to one row, which says now. Without
 * it, a clock that is moved by more than an hour is a service that was off.
 */
export async function letRun({ context: { db }, clock }: Pick<TestServer, 'context' | 'clock'>, ms: number) {
  clock.advance(ms);
  await db.updateTable('service_facts').set({ at: clock.now() }).where('name', '=', 'heartbeat').execute();
}
