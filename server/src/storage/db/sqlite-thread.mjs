/** Runs in a worker thread. It is JavaScript because a thread that strips types starts later and takes 10 MB more. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';

const databases = new Map();

parentPort.on('message', (call) => parentPort.postMessage(reply(call), []));

function reply({ database, connection, sql, parameters, ...file }) {
  try {
    const connections = databases.get(database) ?? [];
    databases.set(database, connections);
    if (sql === null) return close(database, connections);
    const statement = (connections[connection] ??= open(file)).prepare(sql);
    // Values without the names of their columns cross to the main thread in two thirds of the time.
    statement.setReturnArrays(true);
    const rows = statement.all(...parameters);
    return { columns: statement.columns().map(({ name }) => name), rows };
  } catch ({ message, code, errcode, errstr }) {
    return { error: { message, code, errcode, errstr } };
  }
}

function open({ path, pragmas, busyMs }) {
  const opened = new DatabaseSync(path, { timeout: busyMs });
  for (const pragma of pragmas) opened.exec(`PRAGMA ${pragma}`);
  return opened;
}

function close(database, connections) {
  databases.delete(database);
  for (const connection of connections) connection?.close();
  return { columns: [], rows: [] };
}
