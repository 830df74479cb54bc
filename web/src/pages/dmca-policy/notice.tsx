import type { PolicySection } from '../../layouts/policy/policy-section.ts';
import { site } from '../../lib/site.ts';

export const noticeSections: readonly PolicySection[] = [
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
            <strong>You.</strong> Your name, postal address, telephone number and e-mail address.
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
          Please think before you send it whether the use may be fair use or otherwise permitted. Whoever knowingly
          misrepresents that a file infringes can be liable for the damage (17 U.S.C. § 512(f)).
        </p>
      </>
    ),
  },
];
