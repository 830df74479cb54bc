/** Prices are US cents, sizes bytes, speeds megabits per second, of which 1000 means unlimited. */

export const publicLevels = ['free', 'starter', 'basic', 'advanced', 'power'] as const;
export type PublicLevel = (typeof publicLevels)[number];

/** The best last. House is for the operator and their own people, and never for sale. */
export const planLevels = [...publicLevels, 'house'] as const;
export type PlanLevel = (typeof planLevels)[number];

export interface Plan {
  readonly level: PlanLevel;
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
  readonly allowedExtensions: ReadonlySet<string> | null;
}

export const unlimitedMbps = 1000;

/** No limit of bytes or slots. It is an integer that every reader of JSON keeps exactly. */
export const unlimited = Number.MAX_SAFE_INTEGER;

const MB = 1_000_000;
const GB = 1_000_000_000;

export const freeExtensions: ReadonlySet<string> = new Set(
  (
    'pdf rtf odt ods zip 7z rar tar gz tgz xz txt json csv toml lang md css yml yaml ini log properties cfg conf ' +
    'mp3 ogg wav m4a flac aiff png apng jpg jpeg webp gif bmp mp4 webm mkv m4v 3gp 3g2 avi mcpack mcaddon mcmeta'
  ).split(' '),
);

export type Plans = Readonly<Record<PlanLevel, Plan>>;

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

export interface PlanChange {
  readonly name?: string;
  readonly monthlyCents?: number;
  readonly yearlyCents?: number;
  readonly maxDownloadMbps?: number;
  readonly maxFileSize?: number;
  readonly spaceQuota?: number;
  readonly slotsQuota?: number;
  readonly allowedExtensions?: readonly string[] | null;
}
export type PlanChanges = { readonly [Level in PlanLevel]?: PlanChange };

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

export function changePlan(plan: Plan, { allowedExtensions, ...others }: PlanChange): Plan {
  const extensions = allowedExtensions === undefined ? {} : { allowedExtensions: setOf(allowedExtensions) };
  return { ...plan, ...others, ...extensions };
}

const setOf = (extensions: readonly string[] | null) => extensions && new Set(extensions);

export const billingPeriods = ['monthly', 'yearly'] as const;
export type BillingPeriod = (typeof billingPeriods)[number];

export const paidLevels = ['starter', 'basic', 'advanced', 'power'] as const satisfies readonly PlanLevel[];
export type PaidLevel = (typeof paidLevels)[number];

export interface Offer {
  readonly level: PaidLevel;
  readonly period: BillingPeriod;
}

/** Such as `starter_monthly`. */
export type OfferName = `${PaidLevel}_${BillingPeriod}`;

export const offerName = ({ level, period }: Offer): OfferName => `${level}_${period}`;

const allOffers = paidLevels.flatMap((level) => billingPeriods.map((period): Offer => ({ level, period })));

export const offerNamed = (name: string): Offer | undefined => allOffers.find((offer) => offerName(offer) === name);

/** Returns whether one of these offers, by their names, is for a better plan. */
export const hasBetterOffer = (offers: readonly string[], level: PlanLevel): boolean =>
  offers.some((name) => planLevels.indexOf(offerNamed(name)?.level ?? 'free') > planLevels.indexOf(level));

/** With `?plan={level}_{monthly|yearly}` to buy one. */
export const subscriptionPath = '/api/stripe/subscription';

export const paymentEventsPath = '/api/stripe/webhook';
