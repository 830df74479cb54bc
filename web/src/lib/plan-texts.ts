/** Sentences about the plans in force, for the pages that explain them. */
import { type Plan, type Plans, publicLevels, unlimited, unlimitedMbps } from '@holdfast/contract/src/plans.ts';
import { formatShortSize } from './format.ts';

/** The plans of the pricing page, the best last. */
export const publicPlans = (plans: Plans): readonly Plan[] => publicLevels.map((level) => plans[level]);

/** `Free, Starter, Basic, Advanced and Power`. */
export const namesOf = (plans: readonly Plan[]): string => inWords.format(plans.map(({ name }) => name));

// British English has no comma before the last word of a list.
const inWords = new Intl.ListFormat('en-GB');
const inLongWords = new Intl.ListFormat('en-US');

/** `Free uploads up to 500MB`, for the plan of new accounts. */
export const freeUploads = ({ spaceQuota }: Plan): string =>
  spaceQuota >= unlimited
    ? 'Free uploads without limits'
    : `Free uploads up to ${formatShortSize(spaceQuota).replace(' ', '')}`;

/** ` (100 MB per file)`, if a file cannot take all the space. */
export const perFile = ({ spaceQuota, maxFileSize }: Plan): string =>
  maxFileSize < spaceQuota ? ` (${formatShortSize(maxFileSize)} per file)` : '';

/** `4 Mbps (500 KB/s) on Free, 20 Mbps on Starter, unlimited on Power`. */
export const speedsOf = (plans: Plans): string => publicPlans(plans).map(speedOn).join(', ');

function speedOn({ name, maxDownloadMbps: mbps }: Plan, index: number): string {
  if (mbps >= unlimitedMbps) return `unlimited on ${name}`;
  const inBytes = index === 0 ? ` (${formatShortSize(mbps * 125_000)}/s)` : '';
  return `${mbps} Mbps${inBytes} on ${name}`;
}

/** A sentence about the speed of a plan, without its name. */
export const speedOfNewAccounts = ({ maxDownloadMbps: mbps }: Plan): string =>
  mbps >= unlimitedMbps
    ? 'As fast as the server and your connection allow: files of new accounts have no speed limit.'
    : `Files of new accounts download at up to ${mbps} Mbps (${formatShortSize(mbps * 125_000)}/s).`;

/** A plan that accepts only the listed types of file. */
export type RestrictedPlan = Plan & { readonly allowedExtensions: NonNullable<Plan['allowedExtensions']> };

/** The plans that accept only listed types of file. */
export const restrictedPlans = (plans: Plans): readonly RestrictedPlan[] =>
  publicPlans(plans).filter((plan): plan is RestrictedPlan => plan.allowedExtensions !== null);

/** Those that accept any type: `paid plan`, or their names; an empty text if there are none. */
export function plansForAnyType(plans: Plans): string {
  const open = publicPlans(plans).filter(({ allowedExtensions }) => allowedExtensions === null);
  const arePaid = open.length === publicLevels.length - 1 && open.every(({ isFree }) => !isFree);
  return arePaid ? 'paid plan' : namesOf(open);
}

/** One sentence for each plan that accepts only listed types, and one for the others. */
export function typeRules(plans: Plans): string {
  const restricted = restrictedPlans(plans);
  if (restricted.length === 0) return 'Every plan accepts every file type.';
  const lists = restricted.map(({ name }) => `The ${name} plan accepts a fixed list of file types.`);
  const others = restricted.length < publicLevels.length ? ['The other plans have no type restriction.'] : [];
  return [...lists, ...others].join(' ');
}

/** Names the advantages of the paid plans over Free, as a sentence without its end: `More space, and larger files`. */
export function paidBenefits(plans: Plans): string {
  const { space, size, speed, types } = improvements(plans);
  const benefits = those([
    [space, 'more space'],
    [size, 'larger files'],
    [speed, 'faster downloads for everyone who opens your links'],
    [true, placeInCache],
    [types, 'no restriction of file types'],
  ]);
  return capitalized(inLongWords.format(benefits));
}

/** The same as nouns, what paid plans add: `speed, space and any file type`. */
export function paidAdditions(plans: Plans): string {
  const { space, size, speed, types } = improvements(plans);
  const additions: Choice[] = [
    [speed, 'speed'],
    [space || size, 'space'],
    [types, 'any file type'],
  ];
  return inWords.format(orPlaceInCache(those(additions)));
}

/** The same in the order of importance, what paid plans give: `more space, faster downloads and fewer upload limits`. */
export function paidGifts(plans: Plans): string {
  const { space, size, speed, types } = improvements(plans);
  const gifts: Choice[] = [
    [space, 'more space'],
    [speed, 'faster downloads'],
    [size || types, 'fewer upload limits'],
  ];
  return inWords.format(orPlaceInCache(those(gifts)));
}

/** The same as reasons to pay: `faster downloads and more space`. */
export function paidReasons(plans: Plans): string {
  const { space, size, speed } = improvements(plans);
  const reasons: Choice[] = [
    [speed, 'faster downloads'],
    [space || size, 'more space'],
  ];
  return inWords.format(orPlaceInCache(those(reasons)));
}

/** The only improvement that no operator can remove. */
const placeInCache = 'higher cache priority';
const orPlaceInCache = (texts: readonly string[]) => (texts.length === 0 ? [placeInCache] : texts);

type Choice = readonly [isTrue: boolean, text: string];
const those = (choices: readonly Choice[]) => choices.filter(([isTrue]) => isTrue).map(([, text]) => text);

function improvements(plans: Plans) {
  const { free } = plans;
  const paid = publicPlans(plans).filter(({ isFree }) => !isFree);
  const isMore = (key: 'spaceQuota' | 'maxFileSize' | 'maxDownloadMbps') => paid.some((plan) => plan[key] > free[key]);
  return {
    space: isMore('spaceQuota'),
    size: isMore('maxFileSize'),
    speed: isMore('maxDownloadMbps'),
    types: free.allowedExtensions !== null && paid.some(({ allowedExtensions }) => allowedExtensions === null),
  };
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
