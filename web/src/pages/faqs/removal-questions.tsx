import { Link } from '@tanstack/react-router';
import type { Group } from './faq.ts';

export const removalQuestions: Group = {
  title: 'Keeping and deleting',
  faqs: [
    {
      id: 'how-long',
      question: 'How long are files kept?',
      answer: (
        <>
          <p>Indefinitely, unless one of these happens:</p>
          <ul>
            <li>you delete the file, or an auto-delete time that you have set runs out;</li>
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
          Signing in, uploading, using your API key, and paying for a plan. Downloads by others do not count. After 12
          months without any of it all files of an account are removed, favorites too, and we write to you 30 and 7 days
          before.
        </p>
      ),
    },
    {
      id: 'deleting',
      question: 'What happens to a deleted file?',
      answer: (
        <p>
          Its link stops working at once, on every domain. The file leaves active storage within 7 days, and may remain
          in backups for up to one year. It cannot be brought back from the dashboard, and its link is never given to
          another file.
        </p>
      ),
    },
    {
      id: 'continuous-uploading',
      question: 'What is Continuous Uploading?',
      answer: (
        <p>
          A setting that is off by default. While it is on and your account is full, the oldest files are deleted to
          make room for a new one, only as many as are needed, and never favorites. Before you turn it on, you see which
          files would go first.
        </p>
      ),
    },
    {
      id: 'auto-delete',
      question: 'Can files delete themselves?',
      answer: (
        <p>
          Yes. <strong>Auto Delete Inactive Files</strong> under <Link to="/dashboard/general">General Settings</Link>{' '}
          takes 1 to 90 days: files that nobody has opened for that long are deleted, and of those never opened the ones
          uploaded that long ago. Favorites stay. 0 is off, which is the default.
        </p>
      ),
    },
    {
      id: 'activity',
      question: 'How do I learn what was deleted without me?',
      answer: (
        <p>
          <strong>Activity</strong> on the <Link to="/dashboard/usage">Usage</Link> page lists for 12 months each file
          that a rule, a scan for malware or a complaint took, with the reason, and each one that was given back.
        </p>
      ),
    },
    {
      id: 'full',
      question: 'What happens when my account is full?',
      answer: (
        <p>
          New uploads are refused until there is room; nothing that you have is touched, unless you turned Continuous
          Uploading on. Delete files, or take a <Link to="/plan-pricing">larger plan</Link>.
        </p>
      ),
    },
  ],
};
