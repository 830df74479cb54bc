import { policyFiles, type PolicyPath, type PolicyText } from '@holdfast/contract/src/policies.ts';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { openSetting } from '../config/setting-errors.ts';

export type Policies = ReadonlyMap<string, PolicyText>;

/** By the paths of their pages. @throws {UnusableSetting} */
export async function readPolicies({ site: { policiesDir } }: Pick<Config, 'site'>): Promise<Policies> {
  return policiesDir === null ? new Map() : openSetting('POLICIES_DIR', () => readFolder(policiesDir));
}

const fileNames = Object.keys(policyFiles)
  .join(', ')
  .replace(/, (?=\S+$)/, ' and ');

async function readFolder(folder: string): Promise<Policies> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md'));
  if (names.length === 0) throw new Error(`${folder} has none of the files ${fileNames}`);
  // Most sites have none of their own.
  const { parsePolicy } = await import('./parse-policy.ts');
  const found = new Map<string, PolicyText>();
  for (const name of names.toSorted()) {
    const page = pageOf(name);
    try {
      found.set(page, parsePolicy(await readFile(join(folder, name))));
    } catch (error) {
      throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
    }
  }
  return found;
}

/** A name that is mistyped would otherwise leave a standard text in place. */
function pageOf(name: string): PolicyPath {
  const [, page] = Object.entries(policyFiles).find(([known]) => known === name) ?? [];
  if (page === undefined) throw new Error(`no page has the text of ${name}; the names are ${fileNames}`);
  return page;
}
