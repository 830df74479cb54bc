/** The plans as data. Prices are US cents, sizes are bytes, speeds are megabits per second; 1000 means unlimited. */

/** The plans of the pricing page, the best last. */
export const publicLevels = ['free', 'starter', 'basic', 'advanced', 'power'] as const;
export type PublicLevel = (typeof publicLevels)[number];

/** All plans, the best last. House is for the operator and their own people: it has no limits and is never for sale. */
export const planLevels = [...publicLevels, 'house'] as const;
export type PlanLevel = (typeof planLevels)[number];

export interface Plan {
  readonly level: PlanLevel;
  /** Display name. */
  readonly name: string;
  readonly isFree: boolean;
  readonly monthlyCents: number;
  readonly yearlyCents: number;
  readonly maxDownloadMbps: number;
  /** Percentage by which this plan's files are kept in the memory cache longer than those of Free. */
  readonly cachePriorityPercent: number;
  readonly maxFileSize: number;
  readonly spaceQuota: number;
  readonly slotsQuota: number;
  /** Accepted extensions, or null if every type is accepted. */
  readonly allowedExtensions: ReadonlySet<string> | null;
}

export const unlimitedMbps = 1000;

/** No limit of bytes or slots. It is an integer that every reader of JSON keeps exactly. */
export const unlimited = Number.MAX_SAFE_INTEGER;

const MB = 1_000_000;
const GB = 1_000_000_000;

/** The Free plan's upload extension whitelist, lower case and without dots. */
export const freeExtensions: ReadonlySet<string> = new Set(
  (
    'pdf rtf odt ods zip 7z rar tar gz tgz xz txt json csv toml lang md css yml yaml ini log properties cfg conf ' +
    'mp3 ogg wav m4a flac aiff png apng jpg jpeg webp gif bmp mp4 webm mkv m4v 3gp 3g2 avi mcpack mcaddon mcmeta'
  ).split(' '),
);

export type Plans = Readonly<Record<PlanLevel, Plan>>;

/** The plans of a service whose operator has changed none of them. */
export const standardPlans: Plans = {
  free: {
    level: 'free',
    name: 'Free',
    isFree: true,
    monthlyCents: 0,
    yearlyCents: 0,
    maxDownloadMbps: 4,
    cachePriorityPercent: 0,
    maxFileSize: 100 * MB,
    spaceQuota: 500 * MB,
    slotsQuota: 500,
    allowedExtensions: freeExtensions,
  },
  starter: {
    level: 'starter',
    name: 'Starter',
    isFree: false,
    monthlyCents: 99,
    yearlyCents: 999,
    maxDownloadMbps: 20,
    cachePriorityPercent: 10,
    maxFileSize: 100 * MB,
    spaceQuota: 500 * MB,
    slotsQuota: 1_000,
    allowedExtensions: null,
  },
  basic: {
    level: 'basic',
    name: 'Basic',
    isFree: false,
    monthlyCents: 299,
    yearlyCents: 2_999,
    maxDownloadMbps: 100,
    cachePriorityPercent: 20,
    maxFileSize: 400 * MB,
    spaceQuota: 2 * GB,
    slotsQuota: 5_000,
    allowedExtensions: null,
  },
  advanced: {
    level: 'advanced',
    name: 'Advanced',
    isFree: false,
    monthlyCents: 499,
    yearlyCents: 4_999,
    maxDownloadMbps: 250,
    cachePriorityPercent: 50,
    maxFileSize: 2 * GB,
    spaceQuota: 10 * GB,
    slotsQuota: 20_000,
    allowedExtensions: null,
  },
  power: {
    level: 'power',
    name: 'Power',
    isFree: false,
    monthlyCents: 999,
    yearlyCents: 9_999,
    maxDownloadMbps: unlimitedMbps,
    cachePriorityPercent: 80,
    maxFileSize: 5 * GB,
    spaceQuota: 25 * GB,
    slotsQuota: 100_000,
    allowedExtensions: null,
  },
  house: {
    level: 'house',
    name: 'House',
    isFree: false,
    monthlyCents: 0,
    yearlyCents: 0,
    maxDownloadMbps: unlimitedMbps,
    cachePriorityPercent: 80,
    maxFileSize: unlimited,
    spaceQuota: unlimited,
    slotsQuota: unlimited,
    allowedExtensions: null,
  },
};

/** The changes that an operator may make to a plan. */
export interface PlanChange {
  readonly name?: string;
  readonly monthlyCents?: number;
  readonly yearlyCents?: number;
  readonly maxDownloadMbps?: number;
  readonly maxFileSize?: number;
  readonly spaceQuota?: number;
  readonly slotsQuota?: number;
  /** Null if every type is accepted. */
  readonly allowedExtensions?: readonly string[] | null;
}
export type PlanChanges = { readonly [Level in PlanLevel]?: PlanChange };

/** Returns the plans with an operator's changes. */
export function changePlans(changes: PlanChanges): Plans {
  const changed = (level: PlanLevel) => changePlan(standardPlans[level], changes[level] ?? {});
  return {
    free: changed('free'),
    starter: changed('starter'),
    basic: changed('basic'),
    advanced: changed('advanced'),
    power: changed('power'),
    house: changed('house'),
  };
}

/** Returns a plan with some of its values replaced. */
export function changePlan(plan: Plan, { allowedExtensions, ...others }: PlanChange): Plan {
  const extensions = allowedExtensions === undefined ? {} : { allowedExtensions: setOf(allowedExtensions) };
  return { ...plan, ...others, ...extensions };
}

const setOf = (extensions: readonly string[] | null) => extensions && new Set(extensions);

export const billingPeriods = ['monthly', 'yearly'] as const;
export type BillingPeriod = (typeof billingPeriods)[number];

export const paidLevels = ['starter', 'basic', 'advanced', 'power'] as const satisfies readonly PlanLevel[];
export type PaidLevel = (typeof paidLevels)[number];

/** A plan and billing period for sale. */
export interface Offer {
  readonly level: PaidLevel;
  readonly period: BillingPeriod;
}

/** An offer in one word, such as `starter_monthly`. */
export type OfferName = `${PaidLevel}_${BillingPeriod}`;

export const offerName = ({ level, period }: Offer): OfferName => `${level}_${period}`;

const allOffers = paidLevels.flatMap((level) => billingPeriods.map((period): Offer => ({ level, period })));

/** Returns undefined if there is no offer of this name. */
export const offerNamed = (name: string): Offer | undefined => allOffers.find((offer) => offerName(offer) === name);

/** Path that a browser opens to manage a plan, or with `?plan={level}_{monthly|yearly}` to buy one. */
export const subscriptionPath = '/api/stripe/subscription';

/** Webhook path for the payment provider's events. */
export const paymentEventsPath = '/api/stripe/webhook';
