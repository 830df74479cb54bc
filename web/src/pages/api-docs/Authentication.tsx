import { Link } from '@tanstack/react-router';
import { useAccount } from '../../api/session.ts';
import { site } from '../../lib/site.ts';
import { textLink } from '../../ui/text-link.ts';
import { CodePanel } from './CodePanel.tsx';
import { DocsSection } from './DocsSection.tsx';
import { Prose } from './Prose.tsx';
import { useSampleFacts } from './sample-facts.ts';

export function Authentication() {
  const { data: account } = useAccount();
  const { shown, copied } = useSampleFacts();
  const header = (key: string) => `X-API-Key: ${key}`;
  return (
    <DocsSection
      anchor="authentication"
      title="Authentication"
      aside={<CodePanel title="Header" code={header(shown.key)} copied={header(copied.key)} />}
    >
      <p>
        <Prose text="Send your API key in the `X-API-Key` header. In the query or the body it does not count. Downloads need no key." />
      </p>
      <p>
        {account ? (
          <>
            Your own key is filled into the samples on this page: masked on the screen, whole when you copy. It is
            on{' '}
          </>
        ) : (
          <>Sign in, and the samples on this page have your own key when you copy them. You find it on </>
        )}
        <Link to="/dashboard/account-info" className={textLink}>
          Account Info
        </Link>
        .
      </p>
      <p>
        Whoever has the key can upload, list and delete as you. Keep it out of pages and repositories; if it got out,{' '}
        <Link to="/dashboard/change-api" className={textLink}>
          change it
        </Link>
        , and the old one stops working at once. Sharing an account or its key is not supported: {site.name} holds its
        owner responsible for what is done with it.
      </p>
    </DocsSection>
  );
}
