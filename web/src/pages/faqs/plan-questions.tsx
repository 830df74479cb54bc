import { Link } from '@tanstack/react-router';
import type { Group } from './faq.ts';

export const planQuestions: Group = {
  title: 'Plans and speed',
  faqs: [
    {
      id: 'plans',
      question: 'What do paid plans give me?',
      answer: (
        <p>
          More space, larger files, faster downloads for whoever opens your links, a better place in the cache, and no
          restriction of file types. The plans are Free, Starter, Basic, Advanced and Power; the{' '}
          <Link to="/plan-pricing">Pricing</Link> page has their prices by the month and by the year.
        </p>
      ),
    },
    {
      id: 'speed',
      question: 'How fast are downloads?',
      answer: (
        <p>
          As fast as the plan of the file’s owner allows: 4 Mbps (500 KB/s) on Free, 20 Mbps on Starter, 100 Mbps on
          Basic, 250 Mbps on Advanced, unlimited on Power. These are maximums, and the speed of the Free plan can change
          without notice when the servers are busy. The <Link to="/speed-test">Speed Test</Link> shows what arrives at
          your end.
        </p>
      ),
    },
    {
      id: 'downgrade',
      question: 'What happens to my files if I take a smaller plan?',
      answer: (
        <p>
          They stay, even if there is no longer room for all of them. New uploads are refused until what you store fits
          again.
        </p>
      ),
    },
    {
      id: 'failed-payment',
      question: 'What happens if a payment fails?',
      answer: (
        <p>
          You keep your plan for 7 days, in which the payment is tried again and you can change the card under{' '}
          <Link to="/dashboard/plan-info">Plan Info</Link>. After that you have the limits of the Free plan until it is
          paid. Your files stay.
        </p>
      ),
    },
    {
      id: 'refunds',
      question: 'Do I get money back for unused time?',
      answer: (
        <p>
          No. Deleting an account cancels its subscription at once, without a refund for time that was not used, except
          where the law gives you a right to one.
        </p>
      ),
    },
  ],
};
