import { Link } from '@tanstack/react-router';
import { PolicyPage, type PolicySection } from '../../components/PolicyPage.tsx';
import { ContactSentence } from '../../components/ContactSentence.tsx';
import { namesOf, publicPlans, restrictedPlans, typeRules } from '../../lib/plan-texts.ts';
import { plans } from '../../lib/plans.ts';
import { site } from '../../lib/site.ts';

export function TermsOfServicePage() {
  return (
    <PolicyPage
      path="/terms-of-service"
      title="Terms of Service"
      intro={`What you may expect of ${site.name}, and what ${site.name} expects of you, in plain English.`}
      sections={sections}
    />
  );
}

const allSections: readonly PolicySection[] = [
  {
    id: 'agreement',
    title: 'The agreement',
    body: (
      <>
        <p>
          These terms are between you and the operator of {site.name}, who is “we” and “us” below. They begin when you
          create an account, upload or download a file, or call the API. If you do not agree with them, please do not
          use the service.
        </p>
        <p>
          The <Link to="/privacy-policy">Privacy Policy</Link> and the <Link to="/dmca-policy">DMCA Policy</Link> belong
          to them. The people who write the software that this site runs on are not a party to them.
        </p>
      </>
    ),
  },
  {
    id: 'who-may-use-it',
    title: 'Who may use it',
    body: (
      <>
        <p>
          {site.name} is meant for people aged 16 and over. If you are younger, please do not create an account. If the
          law where you live asks for a higher age, that age counts.
        </p>
        <p>Each person may have one account. Please do not open a second one to get around a limit or a closure.</p>
      </>
    ),
  },
  {
    id: 'your-account',
    title: 'Your account',
    body: (
      <>
        <p>
          An account needs an email address that you can read: a 6-digit code sent there proves it. Messages about your
          account and your files go to that address.
        </p>
        <ul>
          <li>Sharing an account or its API key with anybody is not supported.</li>
          <li>
            You are responsible for all activity on your account, no matter who causes it, and whether it comes through
            the pages or with your API key.
          </li>
          <li>
            Keep your password and your key to yourself. If somebody else may know them, change the password on the
            Security page and the key on the Change API page immediately: the old key stops working, and every other
            browser is signed out when the password changes.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: 'your-files',
    title: 'Your files',
    body: (
      <>
        <p>
          Your files stay yours. To run the service we need your permission to store them, to copy them between our own
          servers and backups, and to send them to anyone who opens their links. You give it by uploading, for as long
          as we store the file, and for nothing else.
        </p>
        <p>
          <strong>Every file has a public link.</strong> Anyone who has the link can download the file without an
          account, and can pass the link on. Please do not upload what the wrong person must never see.
        </p>
        <p>
          We do not compress files, put watermarks on them or surround them with ads: the bytes that come down are the
          bytes that went up.
        </p>
      </>
    ),
  },
  {
    id: 'not-allowed',
    title: 'What is not allowed',
    body: (
      <>
        <p>You must have the right to share what you upload. You must not use the service to store or spread:</p>
        <ul>
          <li>anything that is illegal where you are or where it is stored;</li>
          <li>
            malware: viruses, trojans, stealers, and whatever else is made to harm a machine or the person at it.
            Malware is not tolerated;
          </li>
          <li>
            what infringes somebody’s copyright or other rights (see the <Link to="/dmca-policy">DMCA Policy</Link>);
          </li>
          <li>sexual material involving minors, in any form; it is removed and reported;</li>
          <li>other people’s private data or secrets, threats, and pages made to trick people out of theirs.</li>
        </ul>
        <p>
          You must not attack the service either: no getting around limits, no guessing of other people’s passwords,
          keys or links, and no traffic that is meant to overload it.
        </p>
      </>
    ),
  },
  {
    id: 'scanning',
    title: 'How malware is handled',
    body: (
      <p>
        Files may be scanned for malware when they are uploaded and again later. What is found is refused or taken down,
        together with every other copy of the same bytes, and those bytes cannot be uploaded again. Until a file has
        been scanned, its link may not work. An account that spreads malware may be closed. No scanner finds everything:
        treat what you download from strangers with care.
      </p>
    ),
  },
  {
    id: 'plans-and-limits',
    title: site.pricing ? 'Plans and limits' : 'Limits',
    body: (
      <>
        {site.pricing ? (
          <PlansInBrief />
        ) : (
          <p>The operator sets the limits of your account. The Plan Info page shows them.</p>
        )}
        <ul>
          <li>Speeds are maximums. How fast a download really is depends on everything between the server and you.</li>
          {site.pricing && (
            <li>The speed of the {plans.free.name} plan can change without notice when the servers are busy.</li>
          )}
          {site.pricing && <li>{typeRules(plans)}</li>}
          {!site.pricing && restrictedPlans(plans).length > 0 && (
            <li>Some accounts accept a fixed list of file types. The page where you upload states yours.</li>
          )}
          <li>
            The API accepts 4 requests per second from one address. Beyond that it returns HTTP status 429, and a
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
          the {plans.free.name} plan until it is paid; its files stay.
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
  {
    id: 'removal',
    title: 'When files are removed',
    body: (
      <>
        <p>A file is removed when</p>
        <ul>
          <li>you delete it, or an auto-delete time that you have set runs out;</li>
          <li>its account is deleted;</li>
          <li>it is illegal;</li>
          <li>it is detected as malware;</li>
          <li>
            the space of your account runs out while you have Continuous Uploading turned on: the oldest files go, never
            favorites;
          </li>
          <li>your account has had no direct activity for over a year (12 months or more);</li>
          <li>it, or what you do with your account, violates these terms.</li>
        </ul>
        <p>Otherwise files stay indefinitely.</p>
        <p>
          Direct activity means that you sign in, upload
          {site.pricing ? ', use your API key, or pay for a plan' : ' or use your API key'}. Downloads by others are not
          activity of yours. We write to you 30 and 7 days before an unused account loses its files, all of them,
          favorites too.
        </p>
      </>
    ),
  },
  {
    id: 'after-removal',
    title: 'What removal means',
    body: (
      <p>
        The link of a removed file stops working immediately. The file leaves active storage within 7 days, and may
        remain in backups for up to one year. What was removed as malware or after a complaint is withheld instead:
        nobody can download it or upload it again, and it may be kept for as long as the case needs. Neither you nor we
        can be sure to get a file back, so keep a copy of what matters.
      </p>
    ),
  },
  {
    id: 'ending',
    title: 'Closing your account',
    body: (
      <>
        <p>
          You can delete your account at any time on the Delete Account page. That deletes all its files and cannot be
          undone; the{' '}
          <Link to="/privacy-policy" hash="retention">
            Privacy Policy
          </Link>{' '}
          says what remains.
        </p>
        <p>
          We may remove files, pause an account or close it when these terms are violated, when the law asks us to, or
          to protect the service and its users. Where that is allowed and does no harm, we tell you and give you the
          reason.
        </p>
      </>
    ),
  },
  {
    id: 'copyright',
    title: 'Copyright',
    body: (
      <p>
        The <Link to="/dmca-policy">DMCA Policy</Link> says how to report a file that infringes a copyright, and how to
        answer such a report. Accounts of repeat infringers are closed.
      </p>
    ),
  },
  {
    id: 'no-warranty',
    title: 'No warranty',
    body: (
      <p>
        We work to keep files whole and links working, but the service is provided as is, without warranty. It can be
        interrupted, change or end, and it is not a backup: keep a copy of what matters to you.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'Liability',
    body: (
      <p>
        As far as the law allows, we are not liable for indirect damage such as lost profit or lost data
        {site.pricing && ', and for the rest not for more than you paid us in the 12 months before'}. Nothing here
        limits a liability that the law does not let us limit, or the rights that the law gives you as a consumer.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to these terms',
    body: (
      <p>
        These terms may change as the service does. The date at the top says when they last did. A change that takes
        something away from you is announced on this site before it counts. If you go on using the service after that,
        you agree to it; if you do not agree, you can delete your account.
      </p>
    ),
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <p>
        Questions about these terms are welcome. <ContactSentence />
      </p>
    ),
  },
];

/** A site that sells nothing has no terms of payment. */
const sections = allSections.filter(({ id }) => site.pricing || id !== 'payments');

function PlansInBrief() {
  return (
    <p>
      There are five plans: {namesOf(publicPlans(plans))}. What each of them costs and includes is on the{' '}
      <Link to="/plan-pricing">Pricing</Link> page, and{' '}
      <Link to="/faqs" hash="limits">
        the limits are in the FAQs
      </Link>{' '}
      as well. The API is free on every plan.
    </p>
  );
}
