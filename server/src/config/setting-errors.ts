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
    const { message, code } = cause as { message?: string; code?: string };
    const reason = (message || code || String(cause)).replace(/\.$/, '');
    super(`${variable} cannot be used: ${reason}${reason.includes(path) ? '' : ` (${path})`}.`, { cause });
    this.name = 'UnusableSetting';
  }
}

export async function openSetting<T>(variable: string, open: () => Promise<T>, path?: string): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw new UnusableSetting(variable, error, path);
  }
}
