import { bytesOf } from '@holdfast/contract/src/plans-file.ts';
import { type PlanLevel, planLevels, unlimited, unlimitedMbps } from '@holdfast/contract/src/plans.ts';
import { InvalidArgumentError } from 'commander';

/** Parsers of command-line arguments; a value that they refuse is wrong usage. */
export function wholeNumber(found: string): number {
  if (!/^\d{1,15}$/.test(found)) throw new InvalidArgumentError('It must be a whole number from 0.');
  return Number(found);
}

export function positiveNumber(found: string): number {
  const number = wholeNumber(found);
  if (number < 1 || number > 100_000) throw new InvalidArgumentError('It must be a whole number from 1 to 100000.');
  return number;
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

/** Parsers of an account's limits: 'plan' means the limit of the plan. */
export const sizeLimit = limit(unlimited, "It must be a size such as 50GB, 'unlimited' or 'plan'.", (found) =>
  bytesOf(found.toUpperCase()),
);
export const countLimit = limit(unlimited, "It must be a whole number from 1, 'unlimited' or 'plan'.", (found) =>
  /^\d{1,15}$/.test(found) ? Number(found) : undefined,
);
export const speedLimit = limit(
  unlimitedMbps,
  `It must be a whole number of Mbps from 1 to ${unlimitedMbps - 1}, 'unlimited' or 'plan'.`,
  (found) => (/^\d{1,3}$/.test(found) ? Number(found) : undefined),
);

function limit(most: number, message: string, read: (found: string) => number | undefined) {
  return (found: string): number | 'plan' => {
    if (found === 'plan') return found;
    if (found === 'unlimited') return most;
    const value = read(found) ?? 0;
    if (value < 1 || value > Number.MAX_SAFE_INTEGER) throw new InvalidArgumentError(message);
    return value;
  };
}
