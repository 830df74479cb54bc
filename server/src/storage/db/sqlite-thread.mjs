/**
 * Runs in a worker thread: one connection to a database file, and after its end another. Calls are answered in their
 * order. The file is JavaScript because a thread that has to strip types starts later and takes 10 MB more.
 */
import { DatabaseSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';

let file = null;

parentPort.on('message', (call) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort.postMessage(reply(call));
});

function reply(call) {
  try {
    return perform(call);
  } catch ({ message, code, errcode, errstr }) {
    return { error: { message, code, errcode, errstr } };
  }
}

function perform({ path, busyMs, pragmas, sql, parameters }) {
  if (sql === null) return close();
  file ??= open(path, busyMs, pragmas);
  const statement = file.prepare(sql);
  // Values without the names of their columns cross to the main thread in two thirds of the time.
  statement.setReturnArrays(true);
  const rows = statement.all(...parameters);
  return { columns: statement.columns().map(({ name }) => name), rows };
}

function open(path, timeout, pragmas) {
  const opened = new DatabaseSync(path, { timeout });
  for (const pragma of pragmas) opened.exec(`PRAGMA ${pragma}`);
  return opened;
}

function close() {
  file?.close();
  file = null;
  return { columns: [], rows: [] };
}
