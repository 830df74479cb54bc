/**
 * Runs in a worker thread, and replies to each message in turn. It is JavaScript because a thread that has to strip types
 * starts later and takes 10 MB more.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, readlinkSync, renameSync, writeSync } from 'node:fs';
import { constants as systemConstants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;

giveWay();
const streams = new Map();
const work = { append, digests, place };

parentPort?.on('message', ({ call, kind, slab, length, ...message }) => {
  const reply = (rest) => parentPort.postMessage({ call, slab, ...rest }, slab ? [slab] : []);
  try {
    reply(work[kind](message, slab && new Uint8Array(slab, 0, length)));
  } catch ({ message: text, code }) {
    // The clone of an error has no code.
    reply({ error: { message: text, code } });
  }
});

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

const sha256Of = (bytes) => createHash('sha256').update(bytes).digest('hex');

function append({ stream, fd, algorithms, each }, bytes) {
  const known = streams.get(stream) ?? { position: 0, hashes: algorithms.map((name) => [name, createHash(name)]) };
  streams.set(stream, known);
  if (fd !== undefined) writeAll(fd, bytes, known.position);
  known.position += bytes.length;
  for (const [, hash] of known.hashes) hash.update(bytes);
  return each ? { sha256: sha256Of(bytes) } : {};
}

/** Also ends the stream. */
function digests({ stream, algorithms }) {
  const hashes = streams.get(stream)?.hashes ?? algorithms.map((name) => [name, createHash(name)]);
  streams.delete(stream);
  return { digests: Object.fromEntries(hashes.map(([name, hash]) => [name, hash.digest('hex')])) };
}

/** Returns the open descriptors of the file and its folder, neither of which is synced yet. */
function place({ tempPath, path, folder }, bytes) {
  const fd = openSync(tempPath, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600);
  try {
    writeAll(fd, bytes, 0);
    renameSync(tempPath, path);
    return { fd, folderFd: openSync(folder, O_RDONLY | O_DIRECTORY), sha256: sha256Of(bytes) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
