import { OperatorError } from '../lib/operator-error.ts';

export class ConfigError extends OperatorError {
  constructor(variable: string, found: string, accepted: string) {
    super(`${variable} is '${withoutPassword(found)}', but it must be ${accepted}.`);
    this.name = 'ConfigError';
  }
}

export class UnusableSetting extends OperatorError {
  constructor(variable: string, cause: unknown) {
    const { message, code } = cause as { message?: string; code?: string };
    super(`${variable} cannot be used: ${(message || code || String(cause)).replace(/\.$/, '')}.`, { cause });
    this.name = 'UnusableSetting';
  }
}

export async function openSetting<T>(variable: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw new UnusableSetting(variable, error);
  }
}

const withoutPassword = (found: string): string => found.replace(/^([a-z0-9+.-]*:\/*)?.*@/is, '$1…@');
