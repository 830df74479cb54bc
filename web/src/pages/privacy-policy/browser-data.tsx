import type { PolicySection } from '../../layouts/policy/policy-section.ts';
import { site } from '../../lib/site.ts';
import { Named } from './Named.tsx';

/** What is in the browser, and what passes by. */
export const browserData: readonly PolicySection[] = [
  {
    id: 'cookies',
    title: 'Cookies',
    body: (
      <>
        <p>
          This site sets three cookies. All of them serve signing in, and no script can read them.
          {site.recaptcha && ' Google’s reCAPTCHA may set cookies of its own on the account forms.'}
        </p>
        <Named
          entries={[
            ['Session', 'Keeps you signed in. Set when you sign in, for 30 days; gone when you log out.'],
            [
              'Pending sign-up',
              'Ties the code that we e-mail to the browser that asked for it, so that nobody else can use it. 24 hours, or until the code is used.',
            ],
            [
              'Known browser',
              'Says that this browser signed in with your e-mail before. If somebody else guesses at your password, the limit on wrong guesses stops them and not you. It lets nobody in. 180 days.',
            ],
          ]}
        />
        <p>
          Downloading a file sets no cookie. When you choose the light or the dark theme, your browser remembers that,
          and other such choices about how pages look, in its own storage; they are never sent to us.
        </p>
      </>
    ),
  },
  {
    id: 'addresses',
    title: 'Addresses and logs',
    body: (
      <p>
        Every request comes with the address of whoever makes it. We use it to count requests and wrong passwords, which
        holds off guessing and overload, and to share out download speed; it is forgotten shortly after. The log of the
        service is for errors: it says what failed, and of mail that could not be delivered to whom. The web server and
        the network in front of the service may keep access logs of their own for a limited time.
      </p>
    ),
  },
];
