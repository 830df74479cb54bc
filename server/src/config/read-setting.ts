import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, UnusableSetting } from './setting-errors.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Kind<Value> {
  readonly accepted: string;
  readonly parse: (found: string) => Value | undefined;
  /** A number or a word: a wrong value may be printed. */
  readonly isPlain?: true;
}

export type ValueOf<Type> = Type extends Kind<infer Value> ? Value : never;

/** Containers receive secrets in files that `NAME_FILE` names. */
export function readSetting<Value>(name: string, kind: Kind<Value>, environment: Environment): Value | null {
  const value = environment[name]?.trim() || null;
  const file = environment[`${name}_FILE`]?.trim();
  if (file && value !== null) throw new ConfigError(`${name}_FILE`, hidden(file), `not set while ${name} is`);
  const found = file ? contentOf(name, file) : value;
  return found === null ? null : readValue(name, kind, found);
}

export function readValue<Value>(name: string, { accepted, parse, isPlain }: Kind<Value>, found: string): Value {
  const value = orUnusable(name, () => parse(found));
  if (value !== undefined) return value;
  throw new ConfigError(name, isPlain && found.length <= longestPlain ? found : hidden(found), accepted);
}

/** A longer one may be a secret that is in the line of another setting. */
const longestPlain = 12;

/** Of all other values, a secret may be any part, wherever a mistyped one has it. */
const hidden = (found: string) => `${/^[a-z0-9]{1,10}:\/\//i.exec(found)?.[0] ?? ''}…`;

function contentOf(name: string, file: string): string {
  return orUnusable(`${name}_FILE`, () => {
    const content = readFileSync(resolve(file), 'utf8').trim();
    // As if nothing were set, another secret key would be generated and another database used.
    if (content === '') throw new Error(`${file} is empty`);
    return content;
  });
}

function orUnusable<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    // Errors of files end with the path, which may be the secret of another setting.
    const { message } = error as Error;
    throw new UnusableSetting(name, new Error(message.replace(/, \w+ '.*'$/s, ''), { cause: error }));
  }
}
