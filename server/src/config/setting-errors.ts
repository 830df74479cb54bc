import { userInfo } from 'node:os';
import { OperatorError } from '../lib/operator-error.ts';

export class ConfigError extends OperatorError {
  constructor(variable: string, found: string, accepted: string) {
    super(`${variable} is '${found}', but it must be ${accepted}.`);
    this.name = 'ConfigError';
  }
}

export class UnusableSetting extends OperatorError {
  /** Errors of SQLite, and those of an open file, do not name their path. */
  constructor(variable: string, cause: unknown, path = '') {
    const { message, code, errcode } = cause as { message?: string; code?: string; errcode?: number };
    const isForbidden = /^E(?:ACCES|PERM)$/.test(code ?? '') || sqliteForbids.has((errcode ?? 0) % 256);
    const user = isForbidden ? ` by the user ${ownUser()}` : '';
    const reason = (message || code || String(cause)).replace(/\.$/, '');
    super(`${variable} cannot be used${user}: ${reason}${reason.includes(path) ? '' : ` (${path})`}.`, { cause });
    this.name = 'UnusableSetting';
  }
}

/** SQLITE_PERM, READONLY and CANTOPEN. */
const sqliteForbids: ReadonlySet<number> = new Set([3, 8, 14]);

/** In a container it may have no name. */
function ownUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

export async function openSetting<T>(variable: string, open: () => Promise<T>, path?: string): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw new UnusableSetting(variable, error, path);
  }
}
