/** What an address says of where a browser comes back from: a checkout, or the subscription address itself. */
import type { CheckoutOutcome, SubscriptionProblem } from '@holdfast/contract/src/plans.ts';

// The contract's words once more, as the routes are on every page; the compiler keeps the two in step.
const problems = {
  'unknown-plan': true,
  'not-for-sale': true,
  unavailable: true,
  busy: true,
  granted: true,
  'other-site': true,
} satisfies Record<SubscriptionProblem, true>;

/** Of Plan Info. */
export interface PaidSearch {
  readonly checkout?: CheckoutOutcome | undefined;
}

/** Of Pricing. */
export interface ReturnSearch extends PaidSearch {
  readonly problem?: SubscriptionProblem | undefined;
}

type Search = { readonly [key: string]: unknown };

/** A word that is not known is replaced by none: what is left out would be what the address says. */
export const readPaidSearch = ({ checkout }: Search): PaidSearch => ({
  checkout: checkout === 'paid' ? checkout : undefined,
});

export const readReturnSearch = ({ checkout, problem }: Search): ReturnSearch => ({
  checkout: checkout === 'canceled' ? checkout : undefined,
  problem: isProblem(problem) ? problem : undefined,
});

const isProblem = (said: unknown): said is SubscriptionProblem =>
  typeof said === 'string' && Object.hasOwn(problems, said);
