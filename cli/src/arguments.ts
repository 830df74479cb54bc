import { type PlanLevel, planLevels } from '@holdfast/contract/src/plans.ts';
import { InvalidArgumentError } from 'commander';

/** Parsers of command-line arguments; a value that they refuse is wrong usage. */
export function wholeNumber(found: string): number {
  if (!/^\d{1,15}$/.test(found)) throw new InvalidArgumentError('It must be a whole number from 0.');
  return Number(found);
}

export function planLevel(found: string): PlanLevel {
  const level = planLevels.find((each) => each === found.toLowerCase());
  if (!level) throw new InvalidArgumentError(`The plans are ${planLevels.join(', ')}.`);
  return level;
}

export function caseReference(found: string): string {
  const reference = found.trim();
  if (reference === '' || reference.length > 200 || /\p{C}/u.test(reference))
    throw new InvalidArgumentError('It must be 1 to 200 characters on one line.');
  return reference;
}
