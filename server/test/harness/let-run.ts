import type { TestServer } from './start-server.ts';

/**
 * Moves the clock while the service runs. Its processes update one row every minute, which this sets to the new time.
 * Without it, a clock that moves by more than an hour means that the service was off.
 */
export async function letRun({ context: { db }, clock }: Pick<TestServer, 'context' | 'clock'>, ms: number) {
  clock.advance(ms);
  await db.updateTable('service_facts').set({ at: clock.now() }).where('name', '=', 'heartbeat').execute();
}
