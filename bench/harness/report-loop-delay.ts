/**
 * Loaded into the server before its own code: tells whoever started it how late its event loop ran, and starts
 * counting anew.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import type { LoopDelay } from './holdfast.ts';

const resolutionMs = 10;

// Worker threads load it too, and only the thread that answers requests is asked.
if (isMainThread && process.channel) {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  // It measures from one tick of its timer to the next, so a tick that is in time counts as the resolution.
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs);
  process.on('message', () => {
    process.send?.({
      p50: late(delays.percentile(50)),
      p99: late(delays.percentile(99)),
      max: late(delays.max),
    } satisfies LoopDelay);
    delays.reset();
  });
  // Being asked is no reason to stay alive.
  process.channel.unref();
}
