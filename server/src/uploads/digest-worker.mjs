/**
 * Runs in a worker thread. Each port that it receives computes one SHA-256; `null` on the port requests the result. The
 * file is JavaScript because a thread that has to strip types starts later and takes 10 MB more.
 */
import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', (port) => {
  const hash = createHash('sha256');
  port.on('message', (bytes) => {
    if (bytes) hash.update(bytes);
    port.postMessage(bytes ? '' : hash.digest('hex'));
  });
});
