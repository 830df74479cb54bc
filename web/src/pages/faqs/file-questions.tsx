import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { formatCountLimit, formatShortLimit, formatSpeedLimit } from '../../lib/format.ts';
import { plansForAnyType, publicPlans, restrictedPlans } from '../../lib/plan-texts.ts';
import { plans, sellsBetterThan } from '../../lib/plans.ts';
import { site } from '../../lib/site.ts';
import type { QuestionGroup } from './FaqGroup.tsx';

export const fileQuestions: QuestionGroup = {
  title: 'Files and links',
  faqs: [
    {
      id: 'what-is-it',
      question: `What does ${site.name} do?`,
      answer: (
        <p>
          You upload a file and get one public link. Anyone who has the link can download the file, without an account
          and without a page in between. In the dashboard or through the API you see download counts, mark favorites and
          delete files.
        </p>
      ),
    },
    {
      id: 'limits',
      question: 'How large may a file be, and how much can I store?',
      answer: (
        <>
          <p>
            {site.pricing
              ? 'That depends on the plan:'
              : 'New accounts have these limits, which the administrator can change:'}
          </p>
          <LimitsTable />
          <p>
            Sizes are decimal: 1 MB is 1,000,000 bytes. The upload page shows your own limits before you choose a file.
          </p>
        </>
      ),
    },
    {
      id: 'formats',
      question: 'Which file types can I upload?',
      answer: <FileTypes />,
    },
    {
      id: 'unchanged',
      question: 'Are my files compressed or changed?',
      answer: (
        <p>
          No. There is no compression and no watermarking, and there are no ads around the download. To check, add{' '}
          <code>.sha256</code> to a link: it returns the SHA-256 digest of the stored file.
        </p>
      ),
    },
    {
      id: 'private',
      question: 'Can I keep a file private?',
      answer: (
        <p>
          No. Every file is public to anyone who has its link. Names are random and are not listed anywhere, and a
          longer name (up to 32 characters, under General Settings) is harder to guess, but anyone who has a link can
          share it. Encrypt confidential files before you upload them.
        </p>
      ),
    },
    {
      id: 'mirrors',
      question: 'What are mirror domains?',
      answer: (
        <p>
          Other domains that serve the same files under the same path. If one is slow or blocked for you, replace it in
          the link with another. <strong>Default Link Domain</strong> under{' '}
          <Link to="/dashboard/general">General Settings</Link> lists this site’s domains and sets the one used in links
          you copy.
        </p>
      ),
    },
    {
      id: 'resume',
      question: 'Can a download be resumed?',
      answer: (
        <p>
          Yes. Browsers, curl, wget and download managers resume where they stopped. A link always points to the same
          bytes, so both parts fit.
        </p>
      ),
    },
  ],
};

export const removalQuestions: QuestionGroup = {
  title: 'Keeping and deleting',
  faqs: [
    {
      id: 'how-long',
      question: 'How long are files kept?',
      answer: (
        <>
          <p>Indefinitely, unless one of these happens:</p>
          <ul>
            <li>you delete the file, or the auto-delete time that you set is over;</li>
            <li>its account is deleted;</li>
            <li>it is illegal;</li>
            <li>it is detected as malware;</li>
            <li>your space runs out while Continuous Uploading is on;</li>
            <li>your account has had no direct activity for over a year;</li>
            <li>
              the <Link to="/terms-of-service">Terms of Service</Link> are violated.
            </li>
          </ul>
        </>
      ),
    },
    {
      id: 'inactivity',
      question: 'What counts as activity?',
      answer: (
        <p>
          Signing in, uploading
          {site.pricing ? ', using your API key, and paying for a plan' : ' and using your API key'}. Downloads by
          others do not count. After 12 months without activity all files of an account are deleted, including
          favorites. We email you 30 and 7 days before.
        </p>
      ),
    },
    {
      id: 'deleting',
      question: 'What happens to a deleted file?',
      answer: (
        <p>
          Its link stops working immediately, on every domain. For 24 hours you can restore it under the same link in{' '}
          <Link to="/dashboard/deleted-files">Recently Deleted</Link>. The file leaves active storage within 7 days, and
          may remain in backups for up to one year. Its link is never given to another file.
        </p>
      ),
    },
    {
      id: 'continuous-uploading',
      question: 'What is Continuous Uploading?',
      answer: (
        <p>
          A setting that is off by default. While it is on and your account is full, a new upload deletes your oldest
          files to make room, as many as needed, but never favorites. You see which files would be deleted before you
          turn it on and before each upload.
        </p>
      ),
    },
    {
      id: 'auto-delete',
      question: 'Can files be deleted automatically?',
      answer: (
        <p>
          Yes. <strong>Auto Delete Inactive Files</strong> under <Link to="/dashboard/general">General Settings</Link>{' '}
          takes 1 to 90 days: files that nobody opened for that long are deleted; a file never opened counts from its
          upload. A preview of the link in a chat counts as opening. Favorites are never deleted. The default is 0
          (off).
        </p>
      ),
    },
    {
      id: 'activity',
      question: 'Where do I see which files were deleted automatically?',
      answer: (
        <p>
          <strong>Activity</strong> on the <Link to="/dashboard/usage">Usage</Link> page lists files that were removed
          or restored in the last 12 months, with the reason.
        </p>
      ),
    },
    {
      id: 'full',
      question: 'What happens when my account is full?',
      answer: (
        <p>
          New uploads are refused until there is space; existing files are not touched, unless Continuous Uploading is
          on. Delete files, or{' '}
          {sellsBetterThan('free') ? (
            <>
              get a <Link to="/plan-pricing">larger plan</Link>.
            </>
          ) : (
            'ask the administrator for more space.'
          )}
        </p>
      ),
    },
  ],
};

function FileTypes() {
  if (!site.pricing) return <TypesOfNewAccounts />;
  const restricted = restrictedPlans(plans);
  const open = plansForAnyType(plans);
  if (restricted.length === 0) return <p>Every plan accepts every file type.</p>;
  return restricted.map(({ level, name, allowedExtensions }, index) => (
    <Fragment key={level}>
      <p>
        {index === 0 && open !== '' && `On ${open === 'paid plan' ? 'a paid plan' : open}, any. `}
        The {name} plan accepts files with these extensions:
      </p>
      <p className="font-mono text-m leading-6 text-ink">{[...allowedExtensions].join(' ')}</p>
    </Fragment>
  ));
}

function TypesOfNewAccounts() {
  const { allowedExtensions } = plans[site.defaultPlan];
  if (allowedExtensions === null) return <p>Any.</p>;
  return (
    <>
      <p>New accounts accept files with these extensions, which the administrator can change:</p>
      <p className="font-mono text-m leading-6 text-ink">{[...allowedExtensions].join(' ')}</p>
    </>
  );
}

/** The plans that a reader can have: without prices, everybody has the plan of new accounts. */
const shownPlans = site.pricing ? publicPlans(plans) : [plans[site.defaultPlan]];

function LimitsTable() {
  return (
    <table className="w-full border-y border-line text-left text-s text-ink sm:text-m">
      <thead className="text-muted">
        <tr>
          {['Plan', 'Largest file', 'Space', 'Files', 'Speed'].map((name) => (
            <th key={name} scope="col" className="py-2 pr-2 align-bottom font-normal last:pr-0 sm:pr-4">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="figures text-[12.5px] sm:text-s">
        {shownPlans.map(({ level, name, maxFileSize, spaceQuota, slotsQuota, maxDownloadMbps }) => (
          <tr key={level} className="border-t border-line">
            <th scope="row" className="py-2 pr-2 font-sans text-s font-medium sm:pr-4 sm:text-m">
              {name}
            </th>
            <td className={limitCell}>{formatShortLimit(maxFileSize)}</td>
            <td className={limitCell}>{formatShortLimit(spaceQuota)}</td>
            <td className={limitCell}>{formatCountLimit(slotsQuota)}</td>
            <td className={limitCell}>{formatSpeedLimit(maxDownloadMbps)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const limitCell = 'py-2 pr-2 last:pr-0 sm:pr-4';
