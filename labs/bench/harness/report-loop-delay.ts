/**
 * Loaded into the server before its own code: reports the delay of its event loop to the parent process on request and
 * restarts the measurement.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import type { LoopDelay } from './holdfast.ts';

/** The message that asks for the delay. */
const loopDelayQuestion = 'loop delay';
const resolutionMs = Number(process.env['BENCH_LOOP_RESOLUTION_MS'] ?? 10);

// Worker threads load it too, but only the thread that handles requests is measured.
if (isMainThread && process.channel) {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  // The histogram measures from one tick of its timer to the next, so a punctual tick counts as the resolution.
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs);
  process.on('message', (asked) => {
    // A worker of the server gets other messages, too.
    if (asked !== loopDelayQuestion) return;
    process.send?.({
      p50: late(delays.percentile(50)),
      p99: late(delays.percentile(99)),
      max: late(delays.max),
    } satisfies LoopDelay);
    delays.reset();
  });
  // The channel must not keep the process alive.
  process.channel.unref();
}
