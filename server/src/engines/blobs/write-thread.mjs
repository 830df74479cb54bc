/**
 * Runs in a worker thread. Each port that it receives, with a descriptor, appends to one file and computes its SHA-256:
 * every slab comes back once its bytes are written and hashed, and `null` requests the digest. The file is JavaScript
 * because a thread that has to strip types starts later and takes 10 MB more.
 */
import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', ({ port, fd }) => {
  const hash = createHash('sha256');
  let position = 0;

  function append(bytes) {
    for (let written = 0; written < bytes.length;)
      written += writeSync(fd, bytes, written, bytes.length - written, position + written);
    position += bytes.length;
    hash.update(bytes);
  }

  port.on('message', (piece) => {
    if (piece === null) return port.postMessage({ sha256: hash.digest('hex') });
    const { slab, length } = piece;
    try {
      append(new Uint8Array(slab, 0, length));
      port.postMessage({ slab }, [slab]);
    } catch ({ message, code }) {
      // The clone of an error has no code.
      port.postMessage({ error: { message, code } });
    }
  });
});
