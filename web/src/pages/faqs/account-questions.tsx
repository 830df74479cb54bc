import { Link } from '@tanstack/react-router';
import { ContactSentence } from '../../components/ContactSentence.tsx';
import { namesOf, paidBenefits, publicPlans, speedOfNewAccounts, speedsOf } from '../../lib/plan-texts.ts';
import { plans } from '../../lib/plans.ts';
import { site } from '../../lib/site.ts';
import type { Faq, QuestionGroup } from './FaqGroup.tsx';

const paidFaqs: readonly Faq[] = [
  {
    id: 'plans',
    question: 'What do paid plans give me?',
    answer: (
      <p>
        {paidBenefits(plans)}. The plans are {namesOf(publicPlans(plans))}; the <Link to="/plan-pricing">Pricing</Link>{' '}
        page has their prices by the month and by the year.
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
        <Link to="/speed-test">Speed Test</Link> shows what arrives at your end.
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
        <Link to="/dashboard/plan-info">Plan Info</Link>. After that you have the limits of the {plans.free.name} plan
        until it is paid. Your files stay.
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
];

const speedWithoutPlans: Faq = {
  id: 'speed',
  question: 'How fast are downloads?',
  answer: (
    <p>
      {speedOfNewAccounts(plans[site.defaultPlan])} The operator of this site can change the speed of an account. The{' '}
      <Link to="/speed-test">Speed Test</Link> shows what arrives at your end.
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
      answer: <p>16 or older. If the law where you live asks for a higher age, that age counts.</p>,
    },
    {
      id: 'one-account',
      question: 'Can I have several accounts?',
      answer: (
        <p>
          No: one account per person.{' '}
          {site.pricing && (
            <>
              If you need more room, take a <Link to="/plan-pricing">larger plan</Link>.{' '}
            </>
          )}
          For the same reason an email address with a ‘+’ in it cannot sign up.
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
          Look into the spam folder, and check the address. After 120 seconds you can have the code sent again. A code
          has 6 digits, is valid for 10 minutes and works once; only the newest one counts.
        </p>
      ),
    },
    {
      id: 'password',
      question: 'I forgot my password',
      answer: (
        <p>
          <Link to="/forget-password">Ask for a link</Link> to choose a new one. It comes by email and is valid for 30
          minutes. It signs out every browser and changes your API key.
        </p>
      ),
    },
    {
      id: 'delete-account',
      question: 'How do I delete my account?',
      answer: (
        <p>
          On the <Link to="/dashboard/delete-account">Delete Account</Link> page, by typing ‘delete’. All its files go
          with it{site.pricing && ', a paid plan is canceled'}, and it cannot be undone. The{' '}
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
      Nothing. It is free on every plan, with the limits of the plan. The <Link to="/api-docs">API Docs</Link> have
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
          header, never in the address or the body. If somebody else may have seen it, get a new one under{' '}
          <Link to="/dashboard/change-api">Change API</Link>: the old key stops working.
        </p>
      ),
    },
    {
      id: 'rate-limit',
      question: 'How many requests can I make?',
      answer: (
        <p>
          4 per second from one address. Beyond that the response is HTTP status 429, and its <code>Retry-After</code>{' '}
          header says in how many seconds to try again. Downloads are not counted.
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
          It is not tolerated. Where this site scans files, one that is detected as malware is refused or removed,
          together with every other copy of the same bytes; we notify the owners, and the bytes cannot be uploaded
          again. A file that has not been scanned yet is shown as ‘Being checked’; its link works after the scan. People
          who spread malware lose their account. Still, be careful with files of people you do not know: no scanner
          finds everything.
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
            If it is malware or breaks the law otherwise, tell the operator, with the full link. <ContactSentence />
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
          your files; and of each session the address and the browser, so that you can recognize it. Who downloads a
          file is not recorded. See the <Link to="/privacy-policy">Privacy Policy</Link> for details.
        </p>
      ),
    },
    {
      id: 'cookies',
      question: 'Which cookies does the site set?',
      answer: (
        <p>
          Three, all of them for signing in: one keeps you signed in, one ties a sign-up to its code, and one knows the
          browser again. None is for ads or statistics, and downloads set none. The{' '}
          <Link to="/privacy-policy" hash="cookies">
            Privacy Policy
          </Link>{' '}
          says more about each.
        </p>
      ),
    },
  ],
};
