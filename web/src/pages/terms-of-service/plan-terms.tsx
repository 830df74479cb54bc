import { Link } from '@tanstack/react-router';
import type { PolicySection } from '../../layouts/policy/policy-section.ts';

/** Limits, and what they cost. */
export const planTerms: readonly PolicySection[] = [
  {
    id: 'plans-and-limits',
    title: 'Plans and limits',
    body: (
      <>
        <p>
          There are five plans: Free, Starter, Basic, Advanced and Power. What each of them costs and includes is on the{' '}
          <Link to="/plan-pricing">Pricing</Link> page, and{' '}
          <Link to="/faqs" hash="limits">
            the limits are in the FAQs
          </Link>{' '}
          as well. The API is free on every plan.
        </p>
        <ul>
          <li>Speeds are maximums. How fast a download really is depends on everything between the server and you.</li>
          <li>The speed of the Free plan can change without notice when the servers are busy.</li>
          <li>The Free plan takes a fixed list of file types. The other plans have no type restriction.</li>
          <li>
            The API answers 4 requests per second from one address. Beyond that it answers with HTTP status 429, and a
            program should wait before it tries again.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: 'payments',
    title: 'Payments',
    body: (
      <>
        <p>
          Where this site sells paid plans, they are paid in advance, by the month or by the year, and renew until you
          cancel them. Stripe takes the payment; you change or cancel the plan with ‘Manage Plan’ on the Plan Info page.
        </p>
        <p>
          If a payment fails, it is tried again, and the plan stays for 7 days. After that the account has the limits of
          the Free plan until it is paid; its files stay.
        </p>
        <p>
          If a smaller plan leaves you with more than it has room for, nothing is deleted: new uploads are refused until
          there is room again.
        </p>
        <p>
          Deleting an account cancels its subscription as well. There is no refund for time that was paid for and not
          used, except where the law gives you a right to one.
        </p>
      </>
    ),
  },
];
