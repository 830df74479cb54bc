import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, UnusableSetting } from './setting-errors.ts';

/**
 * Returns the value of a setting: that of the variable, or the content of the file that `NAME_FILE` names, which is how
 * containers receive secrets. Null if neither is set.
 * @throws {ConfigError} if both are set.
 * @throws {UnusableSetting} if the file is empty or cannot be read.
 */
export function readValueOrFile(
  variable: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  const value = environment[variable]?.trim() || null;
  const file = environment[`${variable}_FILE`]?.trim();
  if (!file) return value;
  if (value !== null) throw new ConfigError(`${variable}_FILE`, file, `not set while ${variable} is`);
  try {
    const content = readFileSync(resolve(file), 'utf8').trim();
    // As if nothing were set, another secret key would be generated and another database used.
    if (content === '') throw new Error(`${file} is empty`);
    return content;
  } catch (error) {
    throw new UnusableSetting(`${variable}_FILE`, error);
  }
}
