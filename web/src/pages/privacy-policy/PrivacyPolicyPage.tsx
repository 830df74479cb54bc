import { Link } from '@tanstack/react-router';
import { PolicyPage, type PolicySection } from '../../components/PolicyPage.tsx';
import { ContactSentence } from '../../components/ContactSentence.tsx';
import { site } from '../../lib/site.ts';
import { DescriptionList } from './DescriptionList.tsx';
import { OtherCompanies } from './OtherCompanies.tsx';

export function PrivacyPolicyPage() {
  return (
    <PolicyPage
      path="/privacy-policy"
      title="Privacy Policy"
      intro={`This page lists the data that ${site.name} stores about you, its purpose, and when it is deleted.`}
      sections={sections}
    />
  );
}

const sections: readonly PolicySection[] = [
  {
    id: 'in-short',
    title: 'In short',
    body: (
      <>
        <ul>
          <li>We store what an account and its files need, and nothing to build a profile from.</li>
          <li>There are no ads, no trackers and no analytics. Your data is not sold.</li>
          <li>Anyone who has the link of a file can download it. Nobody needs an account for that.</li>
          <li>Deleted files leave active storage within 7 days, and may remain in backups for up to one year.</li>
        </ul>
        <p>
          The operator of {site.name}, “we” and “us” below, is responsible for this data. <ContactSentence />
        </p>
      </>
    ),
  },
  {
    id: 'account-data',
    title: 'Your account',
    body: (
      <DescriptionList
        entries={[
          [
            'Email',
            'To sign in with, and for messages about your account. Your name here starts as the part before the @.',
          ],
          [
            'Password',
            'Hashed and salted (argon2id): we can check the password that you type, but cannot read or recover it.',
          ],
          ['Timezone and preferences', 'What you set under General Settings, and your plan.'],
          [
            'API key',
            'As a hash to know it by, and sealed with the secret key of the server so that you can see it again.',
          ],
          ['Dates', 'When the account was created and verified, and when you last used it.'],
        ]}
      />
    ),
  },
  {
    id: 'file-data',
    title: 'Your files',
    body: (
      <>
        <p>
          We store the files that you upload and, for each of them, its filename, size and type, its SHA-256 digest,
          when it was uploaded, how often and when last it was downloaded, and whether it is a favorite of yours.
        </p>
        <p>
          We count downloads and do not record who made them: each file has a counter and the time of its last download.
          The original filename is sent along with each download, so mind what you put in it.
        </p>
        <p>
          Files may be scanned for malware, by a program. We do not look into them ourselves, except to follow up a
          report, to enforce the <Link to="/terms-of-service">Terms of Service</Link>, or where the law asks us to.
        </p>
      </>
    ),
  },
  {
    id: 'sessions',
    title: 'Sessions',
    body: (
      <p>
        While you are signed in, we store for each browser the address (IP) that it was last seen at, which browser and
        system it says it is, when it signed in and when it was last seen. That is there for you: the Security page
        lists your sessions, so that you can recognize a stranger and sign them out. A session ends after 14 days
        without use, and after 30 days in any case.
      </p>
    ),
  },
  {
    id: 'cookies',
    title: 'Cookies',
    body: (
      <>
        <p>
          This site sets three cookies. All of them serve signing in, and no script can read them.
          {site.recaptcha && ' Google’s reCAPTCHA may set cookies of its own on the account forms.'}
        </p>
        <DescriptionList
          entries={[
            ['Session', 'Keeps you signed in. Set when you sign in, for 30 days; gone when you log out.'],
            [
              'Pending sign-up',
              'Ties the code that we email to the browser that asked for it, so that nobody else can use it. 24 hours, or until the code is used.',
            ],
            [
              'Known browser',
              'Says that this browser signed in with your email before. If somebody else guesses at your password, the limit on wrong guesses stops them and not you. It also spares you an email when you sign in with this browser. It lets nobody in. 180 days.',
            ],
          ]}
        />
        <p>
          Downloading a file sets no cookie. When you choose the light or the dark theme, your browser remembers that,
          and other such choices, in its own storage; they are never sent to us. When you log out, your browser also
          remembers there which session is ending, until our server confirms it. If that takes more than one attempt,
          the session cookie is kept, but it no longer signs anybody in. Files that you share to this site from another
          app wait there until you are signed in. After an hour they are no longer used, and deleted when you open the
          upload page.
        </p>
      </>
    ),
  },
  {
    id: 'addresses',
    title: 'Addresses and logs',
    body: (
      <p>
        Every request comes with the address of the person who makes it. We use it to count requests and wrong
        passwords, which holds off guessing and overload, and to share out download speed; it is forgotten shortly
        after. The log of the service records errors, the recipients of emails that could not be delivered, and the
        address and browser of sign-ins, of changes to an account and of refused requests. The web server and the
        network in front of the service may keep access logs of their own for a limited time.
      </p>
    ),
  },
  {
    id: 'purposes',
    title: 'What we use it for',
    body: (
      <>
        <p>
          To do what you ask for: store your files, serve their links, keep your account. To keep the service safe:
          against guessing, overload, malware and abuse. {site.pricing && 'To take payments for paid plans. '}And to
          follow the law.
        </p>
        <p>
          We write to you when it concerns your account: codes, password links, a changed password or API key, a sign-in
          from a new browser, a deleted account, {site.pricing && 'a payment that failed, '}files that are about to be
          removed, or were removed as malware or after a complaint. There is no newsletter.
        </p>
      </>
    ),
  },
  {
    id: 'others',
    title: 'Who else is involved',
    body: (
      <>
        <p>Your data is stored on servers that we run or rent. Beyond that:</p>
        <OtherCompanies />
        <p>
          Otherwise we give data to others only where the law compels us, or where a copyright notice has to be passed
          on as the <Link to="/dmca-policy">DMCA Policy</Link> says.
        </p>
      </>
    ),
  },
  {
    id: 'retention',
    title: 'How long it is kept',
    body: (
      <>
        <DescriptionList
          entries={[
            [
              'Files',
              'Indefinitely, until one of the reasons in the Terms of Service removes them. An account without direct activity for over a year (12 months or more) loses all of them.',
            ],
            [
              'Removed files',
              'Unavailable immediately. They leave active storage within 7 days, and their filenames too.',
            ],
            [
              'Malware and complaints',
              'Files that were removed for one of these are withheld, and may be kept for as long as the case needs. What was removed, when and why is kept with them.',
            ],
            ['Activity', 'The list of what was removed from your account without you: 12 months.'],
            ['Sign-ups', 'An account whose email is not confirmed goes after 7 days.'],
            ['Backups', 'May contain removed files and data for up to one year.'],
            ['Sessions', 'Over after 14 idle days, or 30 days; cleared soon after that, by you, or with the account.'],
            [
              'Codes and links',
              'Codes are valid for 10 minutes, password links for 30. Waiting mail is given up after 3 days.',
            ],
          ]}
        />
        <p>
          <strong>After a file or an account is deleted</strong>, a record remains that names nobody. For a file it is
          what is listed above under Your files, without the file itself and its filename: the name in a link is never
          given to another file. For an account it is its plan, its settings and the dates; password, API key and
          sessions are erased immediately, and the email address, the name and the time zone within 7 days.
        </p>
      </>
    ),
  },
  {
    id: 'your-rights',
    title: 'Your choices and rights',
    body: (
      <>
        <p>
          You see your data on the Account Info, General Settings and Security pages, and the API gives it to you as
          JSON. You delete files on the File Management page and the account on the Delete Account page.
        </p>
        <p>
          Depending on where you live, you can also ask us for a copy of your data, to correct it, to erase what
          remains, or to stop using it in a certain way, and you can complain to your data protection authority.{' '}
          <ContactSentence /> To protect you, we may ask you to write from the email address of the account.
        </p>
      </>
    ),
  },
  {
    id: 'age',
    title: 'Age',
    body: (
      <p>
        {site.name} is meant for people aged 16 and over, and does not knowingly store data of anyone younger. If a
        younger person has an account here, tell us, and we delete it.
      </p>
    ),
  },
  {
    id: 'security',
    title: 'Security',
    body: (
      <p>
        Passwords, session cookies and password links are stored as hashes only, and API keys sealed. Uploaded files
        cannot run code on these pages. Sharing an account or an API key is not supported, and would undo much of this.
        No service is perfectly safe: choose a password that you use nowhere else.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to this policy',
    body: (
      <p>
        When the service changes, this page changes with it, and so does the date at the top. If we want to use your
        data for something new, we say so on this site before we do.
      </p>
    ),
  },
];
