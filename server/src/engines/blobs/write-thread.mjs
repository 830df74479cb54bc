/**
 * Runs in a worker thread. Each port that it receives, with a descriptor, appends to one file and computes its SHA-256:
 * every slab comes back once its bytes are written and hashed, and `null` requests the digest. A message without a port
 * is a whole file, which it creates and moves into its place. The file is JavaScript because a thread that has to strip
 * types starts later and takes 10 MB more.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, readlinkSync, renameSync, writeSync } from 'node:fs';
import { constants as systemConstants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;

giveWay();
parentPort?.on('message', (message) => (message.port ? appendAll(message) : place(message)));

/**
 * On Linux the scheduler prefers all other threads to this one. Hashing takes every core that it gets, and a download
 * would wait for one beside it.
 */
function giveWay() {
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, Math.max(getPriority(thread), systemConstants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // Another system, or one that hides /proc, shares its cores equally.
  }
}

function writeAll(fd, bytes, position) {
  for (let written = 0; written < bytes.length;)
    written += writeSync(fd, bytes, written, bytes.length - written, position + written);
}

/** Replies with the open descriptors of the file and its folder, neither of which is synced yet. */
function place({ tempPath, path, folder, slab, length }) {
  const bytes = new Uint8Array(slab, 0, length);
  let fd;
  try {
    fd = openSync(tempPath, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600);
    writeAll(fd, bytes, 0);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    renameSync(tempPath, path);
    const folderFd = openSync(folder, O_RDONLY | O_DIRECTORY);
    parentPort.postMessage({ fd, folderFd, sha256, slab }, [slab]);
  } catch ({ message, code }) {
    if (fd !== undefined) closeSync(fd);
    parentPort.postMessage({ error: { message, code } }, []);
  }
}

function appendAll({ port, fd }) {
  const hash = createHash('sha256');
  let position = 0;

  function append(bytes) {
    writeAll(fd, bytes, position);
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
}
