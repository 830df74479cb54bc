import * as z from 'zod/mini';
import { knownMembers, parseJsonFile } from './json-file.ts';
import { type PlanChanges, changePlans, type PlanLevel, planLevels, unlimited, unlimitedMbps } from './plans.ts';

const units = { KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, PB: 1e15 } as const;

const member = <Value>(message: string, read: (found: unknown) => Value | undefined) =>
  z.optional(
    z.pipe(
      z.unknown(),
      z.transform((found, context): Value => {
        const value = read(found);
        if (value === undefined) context.issues.push({ code: 'custom', message, input: found });
        return value as Value;
      }),
    ),
  );

const wholeFromOne = (found: unknown): number | undefined =>
  Number.isSafeInteger(found) && (found as number) >= 1 ? (found as number) : undefined;

const size = member('must be a whole number of bytes from 1, a size such as "2.5 GB", or "unlimited"', (found) =>
  found === 'unlimited' ? unlimited : wholeFromOne(typeof found === 'string' ? bytesOf(found) : found),
);
const count = member('must be a whole number from 1, or "unlimited"', (found) =>
  found === 'unlimited' ? unlimited : wholeFromOne(found),
);
const speed = member(`must be a whole number of Mbps from 1 to ${unlimitedMbps - 1}, or "unlimited"`, (found) => {
  if (found === 'unlimited') return unlimitedMbps;
  const mbps = wholeFromOne(found);
  return mbps !== undefined && mbps < unlimitedMbps ? mbps : undefined;
});
const price = member('must be a whole number of US cents from 50 to 99,999,999', (found) => {
  const cents = wholeFromOne(found);
  return cents !== undefined && cents >= 50 && cents <= 99_999_999 ? cents : undefined;
});
const name = member('must have 1 to 24 letters, digits and spaces', (found) => {
  const trimmed = typeof found === 'string' ? found.trim() : '';
  return /^[\p{L}\p{N}][\p{L}\p{N} .+-]{0,23}$/u.test(trimmed) ? trimmed : undefined;
});
const extensions = member(
  'must be "any", or a list of 1 to 1,000 extensions in lower case and without dots',
  (found): readonly string[] | null | undefined => {
    if (found === 'any') return null;
    const isList = Array.isArray(found) && found.length >= 1 && found.length <= 1_000;
    return isList && found.every(isExtension) ? found : undefined;
  },
);
const isExtension = (found: unknown): found is string => typeof found === 'string' && /^[a-z0-9]{1,16}$/.test(found);

const limits = {
  name,
  max_file_size: size,
  space_quota: size,
  slots_quota: count,
  max_file_download_speed: speed,
  allowed_extensions: extensions,
};
const prices = { monthly_price: price, yearly_price: price };

const unsold = z.strictObject(limits, knownMembers);
const sold = z.strictObject({ ...limits, ...prices }, knownMembers);

export const plansFile = z.strictObject(
  {
    free: z.optional(unsold),
    starter: z.optional(sold),
    basic: z.optional(sold),
    advanced: z.optional(sold),
    power: z.optional(sold),
    house: z.optional(unsold),
  },
  knownMembers,
);

export function readPlanChanges(content: string): PlanChanges {
  const data = parseJsonFile(plansFile, content);
  const changes: PlanChanges = Object.fromEntries(
    planLevels.flatMap((level) => (data[level] ? [[level, changesOf(data[level])]] : [])),
  );
  refuseEqualNames(changes);
  return changes;
}

/** The API names the plan of an account by its display name, so people must be able to tell all names apart. */
function refuseEqualNames(changes: PlanChanges): void {
  const plans = changePlans(changes);
  // A page shows several spaces as one.
  const folded = (level: PlanLevel) => plans[level].name.toLowerCase().replaceAll(/ +/g, ' ');
  for (const [at, level] of planLevels.entries()) {
    const equal = planLevels.slice(0, at).find((other) => folded(other) === folded(level));
    if (equal) throw new Error(`${level}.name must differ from that of ${equal}`);
  }
}

/** A unit is a power of 1000, as in `2.5 GB`. */
export function bytesOf(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d{1,3})?) ?(KB|MB|GB|TB|PB)$/.exec(text) ?? [];
  return unit === undefined ? undefined : Math.round(Number(amount) * units[unit as keyof typeof units]);
}

type Written = z.infer<typeof sold>;

function changesOf(written: Written): PlanChanges[PlanLevel] {
  const renamed = {
    name: written.name,
    monthlyCents: written.monthly_price,
    yearlyCents: written.yearly_price,
    maxFileSize: written.max_file_size,
    spaceQuota: written.space_quota,
    slotsQuota: written.slots_quota,
    maxDownloadMbps: written.max_file_download_speed,
    allowedExtensions: written.allowed_extensions,
  };
  return Object.fromEntries(Object.entries(renamed).filter(([, value]) => value !== undefined));
}
