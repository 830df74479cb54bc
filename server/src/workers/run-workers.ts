/**
 * The parent of several servers on one port. It opens no database and reads no setting but their number. node:cluster
 * holds the port and passes each connection to a worker in turn, so none is lost while workers come and go.
 */
import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { settingsArguments } from '../config/settings-file.ts';
import { logDestination } from '../lib/log-destination.ts';
import { openLog } from '../lib/open-log.ts';
import { type AllWorkers, openAllWorkers } from './all-workers.ts';
import { StartFailed } from './generation.ts';

const entry = fileURLToPath(new URL('../main.ts', import.meta.url));

/** Runs `count` workers until a signal ends them. If no worker can serve, it prints why and ends the process with 1. */
export async function runWorkers(count: number): Promise<void> {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  // By its path, because an upgrade may have put another folder there by the time of a handover.
  cluster.setupPrimary({ exec: entry, args: [...settingsArguments], cwd: process.cwd() });
  const workers = openAllWorkers(openLog(logDestination()));
  obeySignals(workers);
  try {
    console.log(await workers.start(count));
    throw await workers.failed;
  } catch (error) {
    if (!(error instanceof StartFailed)) throw error;
    await workers.stop('terminate');
    console.error(error.isSetting ? error.message : `The workers end whenever they are started: ${error.message}`);
    process.exit(1);
  }
}

function obeySignals(workers: AllWorkers): void {
  let isStopping = false;
  const stop = async (how: 'terminate' | 'interrupt'): Promise<void> => {
    if (isStopping) {
      workers.kill();
      process.exit(1);
    }
    isStopping = true;
    await workers.stop(how);
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop('terminate')).on('SIGINT', () => void stop('interrupt'));
  process.on('SIGHUP', () => {
    if (isStopping) return;
    // The terminal was closed. Elsewhere the signal asks for a handover.
    if (process.stdin.isTTY) void stop('interrupt');
    else void workers.handOver();
  });
}
