import { Link } from '@tanstack/react-router';
import type { Group } from './faq.ts';

export const apiQuestions: Group = {
  title: 'API',
  faqs: [
    {
      id: 'api-cost',
      question: 'What does the API cost?',
      answer: (
        <p>
          Nothing. It is free on every plan, with the limits of the plan. The <Link to="/api-docs">API Docs</Link> have
          every call with samples.
        </p>
      ),
    },
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
          4 per second from one address. Beyond that the answer is HTTP status 429, and its <code>Retry-After</code>{' '}
          header says in how many seconds to try again. Downloads are not counted.
        </p>
      ),
    },
    {
      id: 'key-for-downloads',
      question: 'Do downloads need a key?',
      answer: <p>No. A link works for everybody, in a browser as in a script.</p>,
    },
  ],
};
