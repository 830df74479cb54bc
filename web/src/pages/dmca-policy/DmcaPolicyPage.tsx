import { Link } from '@tanstack/react-router';
import { PolicyPage, type PolicySection } from '../../components/PolicyPage.tsx';
import { ContactSentence } from '../../components/ContactSentence.tsx';
import { site } from '../../lib/site.ts';

export function DmcaPolicyPage() {
  return (
    <PolicyPage
      path="/dmca-policy"
      title="DMCA Policy"
      intro={`How to report a file on ${site.name} that infringes a copyright, what happens then, and how to answer a report that is mistaken.`}
      sections={sections}
    />
  );
}

const sections: readonly PolicySection[] = [
  {
    id: 'policy',
    title: 'Policy',
    body: (
      <>
        <p>
          {site.name} respects copyright and expects the same of everyone who uploads. Following the Digital Millennium
          Copyright Act of the United States (17 U.S.C. § 512), files named in a valid notice are taken down promptly,
          and accounts of repeat infringers are closed.
        </p>
        <p>
          Anybody who owns a copyright, wherever they live, and anybody who may act for an owner can send a notice. You
          need no account and no lawyer for it, and it costs nothing.
        </p>
      </>
    ),
  },
  {
    id: 'notice',
    title: 'What a notice must contain',
    body: (
      <>
        <p>
          Send it in writing to the <a href="#agent">designated agent</a>. To be valid it must contain all of these:
        </p>
        <ol>
          <li>
            <strong>The work.</strong> What was copied: its title, or a link to where you publish it. For many works, a
            representative list.
          </li>
          <li>
            <strong>The files.</strong> The full link of each file on this site, such as{' '}
            <code className="text-[0.9em] break-words">{`${location.host}/file/q7Rt2mXa.zip`}</code>. A search term or
            the name of a user is not enough to find a file by.
          </li>
          <li>
            <strong>You.</strong> Your name, postal address, telephone number and email address.
          </li>
          <li>
            <strong>Your good faith.</strong> The statement: “I believe in good faith that the use of the material in
            the way complained of is not authorized by the copyright owner, its agent, or the law.”
          </li>
          <li>
            <strong>Its accuracy.</strong> The statement: “The information in this notice is accurate, and under penalty
            of perjury, I am the owner, or authorized to act on behalf of the owner, of an exclusive right that is
            allegedly infringed.”
          </li>
          <li>
            <strong>Your signature.</strong> On paper or electronic; your typed full name will do.
          </li>
        </ol>
        <p>
          Please think before you send it whether the use may be fair use or otherwise permitted. Anyone who knowingly
          misrepresents that a file infringes can be liable for the damage (17 U.S.C. § 512(f)).
        </p>
      </>
    ),
  },
  {
    id: 'after-a-notice',
    title: 'What happens after a notice',
    body: (
      <>
        <ol>
          <li>We read it. If something is missing, we tell you what, so that you can send it again.</li>
          <li>
            If it is valid, we take the files down promptly. Their links stop working immediately, on every domain.
          </li>
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
        The account of somebody who infringes copyrights repeatedly is closed, with all its files
        {site.pricing && ', and paid time is not refunded'}. One serious case can be enough. Notices that were
        withdrawn, or answered by a valid counter-notification that was not followed by a suit, do not count. Anyone
        whose account was closed must not come back with a new account.
      </p>
    ),
  },
  {
    id: 'limitations',
    title: 'Limitations',
    body: (
      <ul>
        <li>The DMCA agent cannot help with content uploaded by the operator or its staff.</li>
        <li>
          The agent handles copyright only. Malware and other abuse go to the operator, and so do trademarks and
          privacy.
        </li>
        <li>We can take down what is stored here. We cannot remove copies that are stored elsewhere.</li>
        <li>
          A removed file leaves active storage within 7 days and may remain in backups for up to one year; nobody can
          download it from there. See the{' '}
          <Link to="/privacy-policy" hash="retention">
            Privacy Policy
          </Link>
          .
        </li>
        <li>This page is not legal advice. When you are unsure of your rights, ask a lawyer.</li>
      </ul>
    ),
  },
  {
    id: 'agent',
    title: 'Designated agent',
    body: <DesignatedAgent />,
  },
];

/** The designated agent for notices; if none is configured, another way to contact the operator. */
function DesignatedAgent() {
  if (site.dmcaAgent !== null)
    return (
      <>
        <p>Notices and counter-notifications go to:</p>
        <address className="rounded-m border border-line bg-surface px-5 py-4 whitespace-pre-line not-italic">
          <LinkedAddresses text={site.dmcaAgent} />
        </address>
        <p>Please send nothing else there: other messages are not answered.</p>
      </>
    );
  return (
    <>
      <p>
        The operator of {site.name} has not named a separate agent here. Send notices and counter-notifications to the
        operator{site.contactEmail === null ? '. ' : ', with “DMCA” in the subject. '}
        <ContactSentence />
      </p>
      <p>
        The <a href="https://www.copyright.gov/dmca-directory/">directory of the U.S. Copyright Office</a> lists the
        agents that were registered for a site.
      </p>
    </>
  );
}

/** A text whose email addresses are links. */
function LinkedAddresses({ text }: { readonly text: string }) {
  const parts = text.split(/([^\s@<>",;()]+@[^\s@<>",;()]+\.[a-z0-9-]+)/i);
  // Splitting by a pattern with one group puts the matches at odd indexes.
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <a key={part} href={`mailto:${part}`}>
        {part}
      </a>
    ),
  );
}
