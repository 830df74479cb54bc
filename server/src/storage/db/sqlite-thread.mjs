/**
 * Runs in a worker thread: connections to database files, by name. The file is JavaScript because a thread that has to
 * strip types starts later and takes 10 MB more.
 */
import { DatabaseSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';

const connections = new Map();

parentPort.on('message', (call) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort.postMessage(reply(call));
});

function reply({ connection, sql, parameters, ...file }) {
  try {
    if (sql === null) return close(connection);
    const statement = (connections.get(connection) ?? open(connection, file)).prepare(sql);
    // Values without the names of their columns cross to the main thread in two thirds of the time.
    statement.setReturnArrays(true);
    const rows = statement.all(...parameters);
    return { columns: statement.columns().map(({ name }) => name), rows };
  } catch ({ message, code, errcode, errstr }) {
    return { error: { message, code, errcode, errstr } };
  }
}

function open(connection, { path, pragmas, busyMs }) {
  const opened = new DatabaseSync(path, { timeout: busyMs });
  for (const pragma of pragmas) opened.exec(`PRAGMA ${pragma}`);
  connections.set(connection, opened);
  return opened;
}

function close(connection) {
  connections.get(connection)?.close();
  connections.delete(connection);
  return { columns: [], rows: [] };
}
