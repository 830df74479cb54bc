/** Errors of PostgreSQL, by their codes (PostgreSQL, appendix A). */

/** The server closes, or has closed, the connection that received this error. */
const closesConnection: ReadonlySet<string> = new Set([
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '25P03', // idle_in_transaction_session_timeout
  '25006', // read_only_sql_transaction: after a failover this connection leads to a standby
]);

/** The connection still works; the same statement may succeed later. */
const passes: ReadonlySet<string> = new Set([
  '53300', // too_many_connections
  '55P03', // lock_not_available: lock_timeout
  '57014', // query_canceled: statement_timeout
]);

/** Returns whether the connection that received this error must not be used again. */
export function endsConnection(error: unknown): boolean {
  const code = codeOf(error);
  return code.startsWith('08') || closesConnection.has(code);
}

/** Returns whether the database, and not the statement, is the reason of this error. */
export function isPassing(error: unknown): boolean {
  return endsConnection(error) || passes.has(codeOf(error));
}

/** Returns whether a table of a prepared statement got other columns since it was prepared. */
export const needsNewPlan = (error: unknown): error is Error =>
  codeOf(error) === '0A000' && error instanceof Error && error.message.includes('cached plan');

/**
 * Returns whether a server may accept connections later that refused one with this error. A wrong password or a missing
 * database needs an operator.
 */
export function mayConnectLater(error: unknown): boolean {
  return isPassing(error) || !/^[0-9A-Z]{5}$/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
