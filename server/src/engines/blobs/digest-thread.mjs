/**
 * Runs in a worker thread. Each port that it receives carries the slabs of one blob: every slab comes back once it is
 * hashed, and `null` requests the digests. The file is JavaScript for the reason that `write-thread.mjs` gives.
 */
import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', (port) => {
  const [sha1, sha256] = [createHash('sha1'), createHash('sha256')];

  port.on('message', (piece) => {
    if (piece === null) return port.postMessage({ sha1: sha1.digest('hex'), sha256: sha256.digest('hex') });
    const { slab, length } = piece;
    const bytes = new Uint8Array(slab, 0, length);
    sha1.update(bytes);
    sha256.update(bytes);
    port.postMessage({ slab }, [slab]);
  });
});
