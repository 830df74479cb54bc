import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, UnusableSetting } from './setting-errors.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Kind<Value> {
  readonly accepted: string;
  readonly parse: (found: string) => Value | undefined;
  /** The part of a secret that a message may show. */
  readonly shown?: (found: string) => string;
}

export type ValueOf<Type> = Type extends Kind<infer Value> ? Value : never;

/** Containers receive secrets in files that `NAME_FILE` names. */
export function readSetting<Value>(name: string, kind: Kind<Value>, environment: Environment): Value | null {
  const value = environment[name]?.trim() || null;
  const file = environment[`${name}_FILE`]?.trim();
  if (file && value !== null) throw new ConfigError(`${name}_FILE`, file, `not set while ${name} is`);
  const found = file ? contentOf(name, file) : value;
  return found === null ? null : readValue(name, kind, found);
}

export function readValue<Value>(name: string, { accepted, parse, shown }: Kind<Value>, found: string): Value {
  const value = orUnusable(name, () => parse(found));
  if (value === undefined) throw new ConfigError(name, shown?.(found) ?? found, accepted);
  return value;
}

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
    throw new UnusableSetting(name, error);
  }
}
