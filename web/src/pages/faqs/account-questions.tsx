import { Link } from '@tanstack/react-router';
import { ContactSentence } from '../../components/ContactSentence.tsx';
import { namesOf, paidBenefits, publicPlans, speedOfNewAccounts, speedsOf } from '../../lib/plan-texts.ts';
import { plans, sellsBetterThan } from '../../lib/plans.ts';
import { site } from '../../lib/site.ts';
import type { Faq, QuestionGroup } from './FaqGroup.tsx';

const paidFaqs: readonly Faq[] = [
  {
    id: 'plans',
    question: 'What do paid plans give me?',
    answer: (
      <p>
        {paidBenefits(plans)}. The plans are {namesOf(publicPlans(plans))}; the <Link to="/plan-pricing">Pricing</Link>{' '}
        page lists monthly and yearly prices.
      </p>
    ),
  },
  {
    id: 'speed',
    question: 'How fast are downloads?',
    answer: (
      <p>
        As fast as the plan of the file’s owner allows: {speedsOf(plans)}. These are maximums, and the speed of the{' '}
        {plans.free.name} plan can change without notice when the servers are busy. The{' '}
        <Link to="/speed-test">Speed Test</Link> shows your own speed.
      </p>
    ),
  },
  {
    id: 'downgrade',
    question: 'What happens to my files if I switch to a smaller plan?',
    answer: <p>Nothing is deleted. If you are over the new limit, uploads are refused until you free up space.</p>,
  },
  {
    id: 'failed-payment',
    question: 'What happens if a payment fails?',
    answer: (
      <p>
        We retry for 7 days. You keep your plan meanwhile, and can change the card under{' '}
        <Link to="/dashboard/plan-info">Plan Info</Link>. After that, the limits of the {plans.free.name} plan apply
        until you pay. Your files stay.
      </p>
    ),
  },
  {
    id: 'refunds',
    question: 'Is unused time refunded?',
    answer: (
      <p>
        No. Deleting an account cancels its subscription immediately, without a refund for unused time, except where the
        law gives you a right to one.
      </p>
    ),
  },
];

const speedWithoutPlans: Faq = {
  id: 'speed',
  question: 'How fast are downloads?',
  answer: (
    <p>
      {speedOfNewAccounts(plans[site.defaultPlan])} The administrator can change the speed of an account. The{' '}
      <Link to="/speed-test">Speed Test</Link> shows your own speed.
    </p>
  ),
};

export const planQuestions: QuestionGroup = site.pricing
  ? { title: 'Plans and speed', faqs: paidFaqs }
  : { title: 'Speed', faqs: [speedWithoutPlans] };

export const accountQuestions: QuestionGroup = {
  title: 'Your account',
  faqs: [
    {
      id: 'age',
      question: 'How old must I be?',
      answer: <p>16 or older. If the law where you live requires a higher age, that age applies.</p>,
    },
    {
      id: 'one-account',
      question: 'Can I have several accounts?',
      answer: (
        <p>
          No: one account per person.{' '}
          {sellsBetterThan('free') && (
            <>
              If you need more space, get a <Link to="/plan-pricing">larger plan</Link>.{' '}
            </>
          )}
          This is also why email addresses with a ‘+’ cannot sign up.
        </p>
      ),
    },
    {
      id: 'sharing-an-account',
      question: 'Can I share my account or my API key?',
      answer: (
        <p>That is not supported. The owner is responsible for all activity on an account, no matter who caused it.</p>
      ),
    },
    {
      id: 'code',
      question: 'The code for my sign-up has not arrived',
      answer: (
        <p>
          Check your spam folder and the address. After 120 seconds you can request the code again. A code has 6 digits,
          works once and expires in 10 minutes; only the newest one is valid.
        </p>
      ),
    },
    {
      id: 'password',
      question: 'I forgot my password',
      answer: (
        <p>
          <Link to="/forget-password">Request a reset link</Link>. It comes by email and expires in 30 minutes. The new
          password signs you out everywhere and changes your API key.
        </p>
      ),
    },
    {
      id: 'delete-account',
      question: 'How do I delete my account?',
      answer: (
        <p>
          On the <Link to="/dashboard/delete-account">Delete Account</Link> page, by typing ‘delete’. This deletes all
          your files{site.pricing && ', cancels a paid plan'} and cannot be undone. The{' '}
          <Link to="/privacy-policy" hash="retention">
            Privacy Policy
          </Link>{' '}
          says what remains.
        </p>
      ),
    },
  ],
};

const apiCost: Faq = {
  id: 'api-cost',
  question: 'What does the API cost?',
  answer: (
    <p>
      Nothing. It is free on every plan, within the limits of the plan. The <Link to="/api-docs">API Docs</Link> list
      every call with samples.
    </p>
  ),
};

export const apiQuestions: QuestionGroup = {
  title: 'API',
  faqs: [
    ...(site.pricing ? [apiCost] : []),
    {
      id: 'api-key',
      question: 'Where is my API key?',
      answer: (
        <p>
          On the <Link to="/dashboard/account-info">Account Info</Link> page. Send it in the <code>X-API-Key</code>{' '}
          header, never in the address or the body. If somebody else may have seen it, replace it under{' '}
          <Link to="/dashboard/change-api">Change API</Link>: the old key stops working immediately.
        </p>
      ),
    },
    {
      id: 'rate-limit',
      question: 'How many requests can I make?',
      answer: (
        <p>
          4 per second from one IP address. Above that you get HTTP status 429; wait the seconds in its{' '}
          <code>Retry-After</code> header. Downloads are not counted.
        </p>
      ),
    },
    {
      id: 'key-for-downloads',
      question: 'Do downloads need a key?',
      answer: <p>No. A link works for everyone, in browsers and in scripts.</p>,
    },
  ],
};

export const safetyQuestions: QuestionGroup = {
  title: 'Safety and abuse',
  faqs: [
    {
      id: 'malware',
      question: 'What about malware?',
      answer: (
        <p>
          It is not tolerated. Where this site scans files, malware is refused or removed, together with every other
          copy of the same bytes. We notify the owners, and the bytes cannot be uploaded again. A file that has not been
          scanned yet is shown as ‘Being checked’; its link works after the scan. People who spread malware lose their
          account. No scanner finds everything, so be careful with files from people you do not know.
        </p>
      ),
    },
    {
      id: 'report',
      question: 'How do I report a file?',
      answer: (
        <>
          <p>
            If it infringes your copyright, the{' '}
            <Link to="/dmca-policy" hash="notice">
              DMCA Policy
            </Link>{' '}
            says what to send and to whom.
          </p>
          <p>
            If it is malware or illegal, send the full link to the operator. <ContactSentence />
          </p>
        </>
      ),
    },
    {
      id: 'what-is-stored',
      question: 'What is stored about me?',
      answer: (
        <p>
          Your email, your password hashed and salted, your timezone and preferences; the filename, size and type of
          your files; and the address and browser of each session, so that you can recognize it. Downloaders are not
          recorded. See the <Link to="/privacy-policy">Privacy Policy</Link> for details.
        </p>
      ),
    },
    {
      id: 'cookies',
      question: 'Which cookies does the site set?',
      answer: (
        <p>
          Three, all for signing in: one keeps you signed in, one ties a sign-up to its code, and one recognizes your
          browser. None is for ads or statistics, and downloads set none. The{' '}
          <Link to="/privacy-policy" hash="cookies">
            Privacy Policy
          </Link>{' '}
          describes each.
        </p>
      ),
    },
  ],
};
