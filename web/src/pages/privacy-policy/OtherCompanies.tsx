import { site } from '../../lib/site.ts';
import { DescriptionList, type Entry } from './DescriptionList.tsx';

/** Lists the other companies that receive data, depending on this site's configuration. */
export function OtherCompanies() {
  const { offers, recaptcha, sentryDsn } = site;
  const entries: readonly Entry[] = [
    mail,
    ...(offers.length > 0 ? [payments] : []),
    ['Bot check', recaptcha ? byRecaptcha : byPuzzle],
    ...(sentryDsn === null ? [] : [errorReports]),
  ];
  return <DescriptionList entries={entries} />;
}

const mail: Entry = [
  'Mail delivery',
  'The mail server that hands our messages on sees your email address and the message.',
];

const payments: Entry = [
  'Payments',
  'Stripe takes the payment for a paid plan, and knows your payment data. We do not: we learn which plan is paid for, and until when.',
];

const byPuzzle = 'Where an account form requires it, your browser solves a small puzzle. No other company is involved.';

const byRecaptcha =
  'Google’s reCAPTCHA tells people from programs on the account forms. Google sees your address and facts about your browser there, under its own privacy policy.';

const errorReports: Entry = [
  'Error reports',
  'Sentry gets a report when a page or the server fails, with inputs and keys masked, and a masked replay of the page only when there was an error.',
];
