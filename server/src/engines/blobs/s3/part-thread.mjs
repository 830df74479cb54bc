/**
 * Runs in a worker thread. Each port that it receives carries the parts of one object: every part comes back with its own
 * SHA-256, which signs its request, and `null` requests that of all of them. The file is JavaScript because a thread that
 * has to strip types starts later and takes 10 MB more.
 */
import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

parentPort?.on('message', (port) => {
  const whole = createHash('sha256');

  port.on('message', (part) => {
    if (part === null) return port.postMessage({ sha256: whole.digest('hex') });
    const { slab, length, isAll } = part;
    const bytes = new Uint8Array(slab, 0, length);
    // The only part is hashed once.
    if (!isAll) whole.update(bytes);
    port.postMessage({ slab, sha256: sha256(bytes) }, [slab]);
  });
});
