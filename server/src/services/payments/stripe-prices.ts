import { type Offer, offerName, type Plans } from '@holdfast/contract/src/plans.ts';
import type { Stripe } from 'stripe';
import { NotForSale, type WrongPrice } from './payments.ts';
import { isMissing } from './stripe-ask.ts';

export interface StripePrice {
  readonly id: string;
  readonly offer: Offer;
}

/** The first price of an offer is the one it is sold at. A price never changes its amount, so it is checked once. */
export function openStripePrices(all: readonly StripePrice[], plans: Plans) {
  const isSame = (a: Offer, b: Offer) => a.level === b.level && a.period === b.period;
  const sold = all.filter(({ offer }, at) => all.findIndex((each) => isSame(each.offer, offer)) === at);
  /** Problems by price id; null means that the price is right. */
  const problems = new Map<string, string | null>();
  const check = async (stripe: Stripe, { id, offer }: StripePrice) => {
    const { monthlyCents, yearlyCents } = plans[offer.level];
    problems.set(id, await problemOf(stripe, { id, offer }, offer.period === 'monthly' ? monthlyCents : yearlyCents));
  };
  const wrong = (): WrongPrice[] =>
    sold.flatMap((price) => {
      const problem = problems.get(price.id);
      return typeof problem === 'string' ? [{ ...price, problem }] : [];
    });
  return {
    wrong,
    offers: () => sold.filter(({ id }) => typeof problems.get(id) !== 'string').map(({ offer }) => offer),
    async checkAll(stripe: Stripe): Promise<readonly WrongPrice[]> {
      await Promise.all(sold.map((price) => check(stripe, price)));
      return wrong();
    },
    /** @throws {NotForSale} when the price of `offer` is wrong, or there is none. */
    async priceOf(stripe: Stripe, offer: Offer): Promise<string> {
      const price = sold.find((each) => isSame(each.offer, offer));
      if (!price) throw new NotForSale(`${offerName(offer)} has no price`);
      if (!problems.has(price.id)) await check(stripe, price);
      const problem = problems.get(price.id);
      if (typeof problem === 'string') throw new NotForSale(problem);
      return price.id;
    },
  };
}

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

function amountOf({ unit_amount: amount, currency, recurring, transform_quantity }: Stripe.Price): string {
  if (!recurring) return 'to be paid once';
  if (recurring.usage_type !== 'licensed' || amount === null || transform_quantity) return 'no fixed amount';
  return inWords(amount, currency, recurring.interval, recurring.interval_count);
}

/** Two prices are equal if their descriptions are. `amount` is in the smallest unit of the currency. */
function inWords(amount: number, currency: string, interval: string, count: number): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return `${format.format(amount / 10 ** digits)} a ${count === 1 ? '' : `${count} × `}${interval}`;
}
