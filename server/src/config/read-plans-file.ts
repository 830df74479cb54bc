import type { PlanChanges } from '@holdfast/contract/src/plans.ts';
import { readPlanChanges } from '@holdfast/contract/src/plans-file.ts';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UnusableSetting } from './setting-errors.ts';

/** @throws {UnusableSetting} if the file cannot be read, or something in it is wrong. */
export function readPlansFile(found: string | null): PlanChanges {
  if (found === null) return {};
  try {
    return readPlanChanges(readFileSync(resolve(found), 'utf8'));
  } catch (error) {
    throw new UnusableSetting('PLANS_FILE', error);
  }
}
