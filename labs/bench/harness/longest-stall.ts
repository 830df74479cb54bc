import { setTimeout } from 'node:timers/promises';
import type { Holdfast } from './holdfast.ts';

/** The event loop monitor ticks every 10 ms or more often, and its first tick after a reset only starts it. */
const aFewTicks = 50;

/** Returns the longest delay of the server's event loop during `work`, in milliseconds. */
export async function longestStall(server: Holdfast, work: () => Promise<unknown>): Promise<number> {
  await server.loopDelay();
  await setTimeout(aFewTicks);
  await work();
  await setTimeout(aFewTicks);
  return (await server.loopDelay()).max;
}
