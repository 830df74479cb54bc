import { loadWorkers, workerRole } from './config/workers.ts';
import { OperatorError } from './lib/operator-error.ts';

// Everything that the server writes is readable by its user alone, in a data folder that is open to others too.
process.umask(0o077);

try {
  const workers = workerRole() === null ? loadWorkers() : null;
  // The parent of several servers stays small: it loads nothing of them.
  if (workers === null) await (await import('./run-server.ts')).runServer();
  else await (await import('./workers/run-workers.ts')).runWorkers(workers);
} catch (error) {
  console.error(error instanceof OperatorError ? error.message : error);
  process.exit(1);
}
