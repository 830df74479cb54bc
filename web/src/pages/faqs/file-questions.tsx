import { freeExtensions } from '@holdfast/contract/src/plans.ts';
import { Link } from '@tanstack/react-router';
import { site } from '../../lib/site.ts';
import type { Group } from './faq.ts';
import { LimitsTable } from './LimitsTable.tsx';

export const fileQuestions: Group = {
  title: 'Files and links',
  faqs: [
    {
      id: 'what-is-it',
      question: `What does ${site.name} do?`,
      answer: (
        <p>
          You upload a file and get one public link. Whoever has the link can download the file, without an account and
          without a page in between. You see how often that happened and when last, mark favorites and delete what you
          no longer want, in the dashboard or by the API.
        </p>
      ),
    },
    {
      id: 'limits',
      question: 'How large may a file be, and how much can I store?',
      answer: (
        <>
          <p>That depends on the plan:</p>
          <LimitsTable />
          <p>
            Sizes are decimal: 1 MB is 1,000,000 bytes. The page where you upload states your own limits before you
            choose a file.
          </p>
        </>
      ),
    },
    {
      id: 'formats',
      question: 'Which file types can I upload?',
      answer: (
        <>
          <p>On a paid plan, any. The Free plan takes files with these extensions:</p>
          <p className="font-mono text-m leading-6 text-ink">{[...freeExtensions].join(' ')}</p>
        </>
      ),
    },
    {
      id: 'unchanged',
      question: 'Are my files compressed or changed?',
      answer: (
        <p>
          No. There is no compression and no watermarking, and there are no ads around the download. To check, add{' '}
          <code>.sha256</code> to a link: it answers the SHA-256 digest of what is stored.
        </p>
      ),
    },
    {
      id: 'private',
      question: 'Can I keep a file private?',
      answer: (
        <p>
          No. Every file is public to whoever has its link. Names are random and are not listed anywhere, and a longer
          name (up to 32 characters, under General Settings) is harder to guess; but a link can be passed on. Encrypt
          what nobody else may read before you upload it.
        </p>
      ),
    },
    {
      id: 'mirrors',
      question: 'What are mirror domains?',
      answer: (
        <p>
          Other domains that serve the same files under the same path. If one is slow or blocked where you are, put
          another in its place, and the link works as before. <strong>Default Link Domain</strong> under{' '}
          <Link to="/dashboard/general">General Settings</Link> lists the domains of this site, and is the one that new
          copies of your links are made with.
        </p>
      ),
    },
    {
      id: 'resume',
      question: 'Can a download be resumed?',
      answer: (
        <p>
          Yes. Browsers, curl, wget and download managers take one up again where it broke off. A name never stands for
          other bytes than it once did, so the two parts always belong together.
        </p>
      ),
    },
  ],
};
