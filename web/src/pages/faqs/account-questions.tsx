import { Link } from '@tanstack/react-router';
import type { Group } from './faq.ts';

export const accountQuestions: Group = {
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
          No: one account per person. If you need more room, take a <Link to="/plan-pricing">larger plan</Link>. For the
          same reason an e-mail address with a ‘+’ in it cannot sign up.
        </p>
      ),
    },
    {
      id: 'sharing-an-account',
      question: 'Can I share my account or my API key?',
      answer: <p>That is not supported. The owner is responsible for all activity on an account, whoever caused it.</p>,
    },
    {
      id: 'code',
      question: 'The code for my sign-up has not arrived',
      answer: (
        <p>
          Look into the spam folder, and check the address. After 120 seconds you can have the code sent again. A code
          has 6 characters, is valid for 10 minutes and works once; only the newest one counts.
        </p>
      ),
    },
    {
      id: 'password',
      question: 'I forgot my password',
      answer: (
        <p>
          <Link to="/forget-password">Ask for a link</Link> to choose a new one. It comes by e-mail and is valid for 30
          minutes. A new password signs out every browser.
        </p>
      ),
    },
    {
      id: 'delete-account',
      question: 'How do I delete my account?',
      answer: (
        <p>
          On the <Link to="/dashboard/delete-account">Delete Account</Link> page, by typing ‘delete’. All its files go
          with it, a paid plan is canceled, and it cannot be undone. The{' '}
          <Link to="/privacy-policy" hash="retention">
            Privacy Policy
          </Link>{' '}
          says what remains.
        </p>
      ),
    },
  ],
};
