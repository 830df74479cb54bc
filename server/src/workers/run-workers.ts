/** Several servers on one port: node:cluster passes each connection to one in turn. */
import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { loadWorkers } from '../config/workers.ts';
import { settingsArguments } from '../config/settings-file.ts';
import { logDestination } from '../lib/log-destination.ts';
import { openLog } from '../lib/open-log.ts';
import { type Generation, startGeneration } from './generation.ts';

const entry = fileURLToPath(new URL('../main.ts', import.meta.url));

export async function runWorkers(count: number): Promise<void> {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  // An upgrade may have put another folder there.
  cluster.setupPrimary({ exec: entry, args: [...settingsArguments], cwd: process.cwd() });
  const log = openLog(logDestination());
  let current = startGeneration({ size: count, takesOver: false, log });
  const running = new Set([current]);
  let handovers: Promise<void> = Promise.resolve();
  let isStopping = false;

  const end = async (generation: Generation, how: 'terminate' | 'hand over') => {
    await generation.stop(how);
    running.delete(generation);
  };
  /** If the new workers cannot serve, the old ones stay. */
  const handOver = async () => {
    await current.started;
    if (isStopping) return;
    let next: Generation | null = null;
    try {
      next = startGeneration({ size: loadWorkers() ?? 1, takesOver: true, log });
      running.add(next);
      await next.started;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!isStopping) log.error({ reason }, 'ALARM: the new workers could not take over, so the old ones stay');
      if (next) void end(next, 'terminate');
      return;
    }
    log.info('the new workers have taken over');
    void end(current, 'hand over');
    current = next;
  };
  const stop = async (how: 'terminate' | 'interrupt', status = 0) => {
    if (isStopping) {
      for (const generation of running) generation.kill();
      process.exit(1);
    }
    isStopping = true;
    await Promise.all([...running].map((generation) => generation.stop(how)));
    process.exit(status);
  };
  process.on('SIGTERM', () => void stop('terminate')).on('SIGINT', () => void stop('interrupt'));
  process.on('SIGHUP', () => {
    // Without a terminal, the signal asks for a handover.
    if (process.stdin.isTTY) void stop('interrupt');
    else handovers = handovers.then(handOver);
  });
  try {
    console.log(await current.started);
  } catch {
    if (!isStopping) await stop('terminate', 1);
  }
}
