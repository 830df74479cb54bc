/** The process: a server that serves alone, or with WORKERS the parent of several, or one of those. */
import { loadWorkers, workerRole } from './config/workers.ts';
import { ConfigError, UnusableSetting } from './config/setting-errors.ts';

// Everything that the server writes is readable by its user alone, in a data folder that is open to others too.
process.umask(0o077);

try {
  const workers = workerRole() === null ? loadWorkers() : null;
  // The parent stays small: it loads nothing of the server.
  if (workers === null) await (await import('./run-server.ts')).runServer();
  else await (await import('./workers/run-workers.ts')).runWorkers(workers);
} catch (error) {
  const isSetting = error instanceof ConfigError || error instanceof UnusableSetting;
  console.error(isSetting ? error.message : error);
  process.exit(1);
}
