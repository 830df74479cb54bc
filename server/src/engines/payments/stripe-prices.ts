import { type Offer, offerName, type Plans } from '@holdfast/contract/src/plans.ts';
import type { Stripe } from 'stripe';
import { NotForSale, type WrongPrice } from './payments.ts';
import { isMissing } from './stripe-ask.ts';

export interface StripePrice {
  readonly id: string;
  readonly offer: Offer;
}

export interface StripePrices {
  readonly offers: readonly Offer[];
  readonly wrong: readonly WrongPrice[];
  checkAll(stripe: Stripe): Promise<readonly WrongPrice[]>;
  /**
   * Returns the price at which `offer` is sold. The amount of a Stripe price never changes, so it is checked once.
   * @throws {NotForSale} when it is wrong, or there is none.
   */
  priceOf(stripe: Stripe, offer: Offer): Promise<string>;
}

/** The first price of an offer is the one it is sold at. */
export function openStripePrices(all: readonly StripePrice[], plans: Plans): StripePrices {
  const sold = all.filter(({ offer }, at) => all.findIndex((each) => isSame(each.offer, offer)) === at);
  /** Problems by price id; null means that the price is right. */
  const problems = new Map<string, string | null>();
  const check = async (stripe: Stripe, price: StripePrice) =>
    void problems.set(price.id, await problemOf(stripe, price, centsOf(plans, price.offer)));
  const wrong = () =>
    sold.flatMap((price) => {
      const problem = problems.get(price.id);
      return typeof problem === 'string' ? [{ ...price, problem }] : [];
    });
  return {
    get offers() {
      return sold.filter(({ id }) => typeof problems.get(id) !== 'string').map(({ offer }) => offer);
    },
    get wrong() {
      return wrong();
    },
    async checkAll(stripe) {
      await Promise.all(sold.map((price) => check(stripe, price)));
      return wrong();
    },
    async priceOf(stripe, offer) {
      const price = sold.find((each) => isSame(each.offer, offer));
      if (!price) throw new NotForSale(`${offerName(offer)} has no price`);
      if (!problems.has(price.id)) await check(stripe, price);
      const problem = problems.get(price.id);
      if (typeof problem === 'string') throw new NotForSale(problem);
      return price.id;
    },
  };
}

const isSame = (a: Offer, b: Offer): boolean => a.level === b.level && a.period === b.period;

/** `cents` is the price that the pricing page shows. */
async function problemOf(stripe: Stripe, { id, offer }: StripePrice, cents: number): Promise<string | null> {
  const said = `The price ${id} of ${offerName(offer)}`;
  const price = await stripe.prices.retrieve(id).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return null;
  });
  if (!price) return `${said} is unknown to the payment provider`;
  if (!price.active) return `${said} is archived at the payment provider`;
  const wanted = inWords(cents, 'usd', offer.period === 'monthly' ? 'month' : 'year', 1);
  const found = amountOf(price);
  return found === wanted ? null : `${said} is ${found} at the payment provider, but ${wanted} on the pricing page`;
}

const centsOf = (plans: Plans, { level, period }: Offer) =>
  plans[level][period === 'monthly' ? 'monthlyCents' : 'yearlyCents'];

function amountOf({ unit_amount: amount, currency, recurring, transform_quantity }: Stripe.Price): string {
  if (!recurring) return 'to be paid once';
  if (recurring.usage_type !== 'licensed' || amount === null || transform_quantity) return 'no fixed amount';
  return inWords(amount, currency, recurring.interval, recurring.interval_count);
}

/**
 * Describes a price; two prices are equal if their descriptions are. `amount` is in the smallest unit of the currency.
 */
function inWords(amount: number, currency: string, interval: string, count: number): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return `${format.format(amount / 10 ** digits)} a ${count === 1 ? '' : `${count} × `}${interval}`;
}
