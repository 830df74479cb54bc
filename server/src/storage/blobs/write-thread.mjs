/** Runs in a worker thread. It is JavaScript because a thread that strips types starts later and takes 10 MB more. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fsync,
  fsyncSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { constants as systemConstants, getPriority, setPriority } from 'node:os';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import { parentPort } from 'node:worker_threads';
import { shareSyncs } from '../share-syncs.mjs';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;

giveWay();
const streams = new Map();
const work = { append, digests, place };
const syncFile = promisify(fsync);
const folderSyncs = new Map();
let replied = Promise.resolve();

parentPort?.on('message', ({ kind, slab, length, ...message }) => {
  if (kind === 'end') return void streams.delete(message.stream);
  const done = answer(kind, message, slab && new Uint8Array(slab, 0, length));
  // In the order of the messages.
  replied = replied.then(async () => parentPort.postMessage({ slab, ...(await done) }, slab ? [slab] : []));
});

async function answer(kind, message, bytes) {
  try {
    return await work[kind](message, bytes);
  } catch ({ message: text, code }) {
    return { error: { message: text, code } };
  }
}

/** Hashing takes every core that it gets, and a download would wait. */
function giveWay() {
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, Math.max(getPriority(thread), systemConstants.priority.PRIORITY_BELOW_NORMAL));
  } catch {}
}

function writeAll(fd, bytes, position) {
  for (let written = 0; written < bytes.length;)
    written += writeSync(fd, bytes, written, bytes.length - written, position + written);
}

const sha256Of = (bytes) => createHash('sha256').update(bytes).digest('hex');

function streamOf({ stream, algorithms }) {
  const known = streams.get(stream) ?? { position: 0, hashes: algorithms.map((name) => [name, createHash(name)]) };
  streams.set(stream, known);
  return known;
}

function append({ fd, each, ...message }, bytes) {
  const stream = streamOf(message);
  if (fd !== undefined) writeAll(fd, bytes, stream.position);
  stream.position += bytes.length;
  for (const [, hash] of stream.hashes) hash.update(bytes);
  return each ? { sha256: sha256Of(bytes) } : {};
}

function digests(message) {
  return { digests: Object.fromEntries(streamOf(message).hashes.map(([name, hash]) => [name, hash.digest('hex')])) };
}

/** File and folder are synced at once, and other files are placed meanwhile. */
async function place({ tempPath, path }, bytes) {
  const fd = inFolderOf(tempPath, () => openSync(tempPath, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600));
  try {
    writeAll(fd, bytes, 0);
    inFolderOf(path, () => renameSync(tempPath, path));
    const syncs = Promise.allSettled([syncFile(fd), shareSync(dirname(path))]);
    const sha256 = sha256Of(bytes);
    for (const end of await syncs) if (end.status === 'rejected') throw end.reason;
    return { sha256 };
  } finally {
    closeSync(fd);
  }
}

/** Files that are placed in a folder meanwhile share its next sync. */
function shareSync(path) {
  const share = folderSyncs.get(path) ?? shareSyncs(syncOnce);
  folderSyncs.set(path, share);
  return share();

  async function syncOnce() {
    const fd = openSync(path, O_RDONLY | O_DIRECTORY);
    await syncFile(fd).finally(() => closeSync(fd));
  }
}

/** Somebody may have removed a folder that was empty. */
function inFolderOf(path, run) {
  try {
    return run();
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    const first = mkdirSync(dirname(path), { recursive: true }) ?? path;
    for (let made = dirname(path); made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
    return run();
  }
}

function syncFolder(path) {
  const fd = openSync(path, O_RDONLY | O_DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
