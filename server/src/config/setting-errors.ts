export class ConfigError extends Error {
  constructor(variable: string, found: string, accepted: string) {
    super(`${variable} is '${withoutPassword(found)}', but it must be ${accepted}.`);
    this.name = 'ConfigError';
  }
}

/** A well-formed setting that does not work: its engine cannot be opened. One sentence, like a ConfigError. */
export class UnusableSetting extends Error {
  constructor(variable: string, cause: unknown) {
    const { message, code } = cause as { message?: string; code?: string };
    super(`${variable} cannot be used: ${(message || code || String(cause)).replace(/\.$/, '')}.`, { cause });
    this.name = 'UnusableSetting';
  }
}

/** Opens what a setting names, and names the setting in the error if that fails. */
export async function openSetting<T>(variable: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw new UnusableSetting(variable, error);
  }
}

/**
 * Error messages print the value found, so everything between the scheme and the last @ is replaced to hide a password.
 */
function withoutPassword(found: string): string {
  return found.replace(/^([a-z0-9+.-]*:\/*)?.*@/is, '$1…@');
}
