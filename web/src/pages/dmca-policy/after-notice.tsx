import type { PolicySection } from '../../layouts/policy/policy-section.ts';

export const afterNotice: readonly PolicySection[] = [
  {
    id: 'after-a-notice',
    title: 'What happens after a notice',
    body: (
      <>
        <ol>
          <li>We read it. If something is missing, we tell you what, so that you can send it again.</li>
          <li>If it is valid, we take the files down promptly. Their links stop working at once, on every domain.</li>
          <li>
            We write to the person who uploaded them, and pass the notice on, with the name and the contact in it, so
            that they can answer it.
          </li>
          <li>We keep a record of the notice, and count it against the account.</li>
        </ol>
        <p>We may publish notices, or send them to a public archive, without the personal contact data in them.</p>
      </>
    ),
  },
  {
    id: 'counter-notification',
    title: 'Counter-notification',
    body: (
      <>
        <p>
          If your file was taken down by mistake, or because it was taken for something else, you can answer with a
          counter-notification to the <a href="#agent">designated agent</a>. It must contain:
        </p>
        <ol>
          <li>the link of each file that was taken down, as it was before;</li>
          <li>
            the statement: “Under penalty of perjury, I believe in good faith that the material was removed or disabled
            as a result of mistake or misidentification.”;
          </li>
          <li>your name, postal address and telephone number;</li>
          <li>
            the statement that you accept the jurisdiction of the federal district court for your address, or, outside
            the United States, of any district in which we may be found, and that you will accept service of process
            from the person who sent the notice or their agent;
          </li>
          <li>your signature, on paper or electronic.</li>
        </ol>
        <p>
          We pass a valid counter-notification on to the complainant. The material may then be restored, 10 to 14
          business days later, unless the complainant sues: if they tell us within that time that they have asked a
          court to stop the infringement, it stays down.
        </p>
      </>
    ),
  },
  {
    id: 'repeat-infringers',
    title: 'Repeat infringers',
    body: (
      <p>
        The account of somebody who infringes copyrights repeatedly is closed, with all its files, and paid time is not
        refunded. One serious case can be enough. Notices that were withdrawn, or answered by a valid
        counter-notification that was not followed by a suit, do not count. Whoever was closed out must not come back
        with a new account.
      </p>
    ),
  },
];
