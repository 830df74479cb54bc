/**
 * Runs in a worker thread: one connection to a database file, and after its end another. Each message is a list of
 * calls, and is answered by one list of replies in the same order. The file is JavaScript because a thread that has to
 * strip types starts later and takes 10 MB more.
 */
import { DatabaseSync } from 'node:sqlite';
import { receiveMessageOnPort, workerData } from 'node:worker_threads';

const { port, sent } = workerData;
const preparedStatements = 256;
/** SQLITE_BUSY, whatever its details. */
const busy = 5;
/** SQLITE_BUSY_SNAPSHOT: the transaction has read what another process has changed, so another try finds the same. */
const busySnapshot = 517;

const prepared = new Map();
let file = null;
let path = '';
let pragmas = [];
let busyMs = 0;

serveCalls();

/** Sleeping until `sent` changes takes half the time of a round trip through an event loop. */
function serveCalls() {
  for (;;) {
    const seen = Atomics.load(sent, 0);
    for (let next; (next = receiveMessageOnPort(port));) port.postMessage(next.message.map(replyTo));
    Atomics.wait(sent, 0, seen);
  }
}

function replyTo(call) {
  try {
    return perform(call);
  } catch ({ message, code, errcode, errstr }) {
    const endedTransaction = call.inTransaction === true && !file?.isTransaction;
    return { error: { message, code, errcode, errstr, endedTransaction } };
  }
}

function perform(call) {
  const { kind, sql, parameters, waitedMs = 0, inTransaction = false } = call;
  if (kind === 'open') return prepareToOpen(call);
  if (kind === 'close') return close();
  if (kind === 'commit') return commit();
  file ??= open();
  // After SQLite has rolled back a transaction on its own, its remaining statements must not be committed one by one.
  if (inTransaction && !file.isTransaction) throw new Error('The transaction has ended: no transaction is active');
  // Time spent in the queue counts as waiting for the lock, so that a queue behind a lock does not wait for each other.
  const patience = Math.max(0, busyMs - waitedMs);
  if (kind === 'script') return runScript(sql, patience);
  return untilFree(() => run(sql, parameters), patience);
}

function run(sql, parameters) {
  const statement = prepare(sql);
  if (statement.columns.length > 0) {
    const rows = statement.all(...parameters);
    // SQLite learns of a schema that another connection changed when a statement runs, and then compiles it anew.
    if (rows.length > 0 && rows[0].length !== statement.columns.length) statement.columns = statement.names();
    return { columns: statement.columns, rows };
  }
  return { changes: statement.run(...parameters).changes };
}

function commit() {
  try {
    file.exec('commit');
    return {};
  } catch (error) {
    if (file?.isTransaction) file.exec('rollback');
    throw error;
  }
}

/** Its statements must not run twice, so SQLite itself waits for the lock. */
function runScript(sql, patience) {
  file.exec(`PRAGMA busy_timeout = ${Math.round(patience)}`);
  try {
    file.exec(sql);
    return {};
  } finally {
    file.exec('PRAGMA busy_timeout = 0');
  }
}

function prepareToOpen(call) {
  ({ path, pragmas, busyMs } = call);
  return {};
}

function open() {
  const opened = new DatabaseSync(path, { timeout: 0 });
  try {
    for (const pragma of pragmas) untilFree(() => opened.exec(`PRAGMA ${pragma}`), busyMs);
    return opened;
  } catch (error) {
    opened.close();
    throw error;
  }
}

/**
 * Waits for a lock that another process has. SQLite itself would sleep for longer each time, up to 100 ms, and so miss the
 * moments between two transactions of a process that writes all the time; and not at all while another process switches
 * to WAL or recovers.
 */
function untilFree(work, patience) {
  const startedAt = performance.now();
  for (;;)
    try {
      return work();
    } catch (error) {
      const waited = performance.now() - startedAt;
      if ((error.errcode & 0xff) !== busy || error.errcode === busySnapshot || waited > patience) throw error;
      sleep(waited < 20 ? 0.2 : 1 + Math.random() * 4);
    }
}

function sleep(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function namesIn(statement) {
  return statement.columns().map(({ name }) => name);
}

function prepare(sql) {
  const known = prepared.get(sql);
  if (known) return known;
  if (prepared.size >= preparedStatements) prepared.clear();
  const statement = file.prepare(sql);
  // Values without the names of their columns cross to the main thread in two thirds of the time.
  statement.setReturnArrays(true);
  const compiled = {
    columns: namesIn(statement),
    names: () => namesIn(statement),
    all: (...values) => statement.all(...values),
    run: (...values) => statement.run(...values),
  };
  prepared.set(sql, compiled);
  return compiled;
}

function close() {
  prepared.clear();
  file?.close();
  file = null;
  return {};
}
