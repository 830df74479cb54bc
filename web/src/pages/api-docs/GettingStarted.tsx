import { apiBase, apiLastUpdated, apiVersion } from '@holdfast/contract/src/api-docs.ts';
import { Link } from '@tanstack/react-router';
import { textLink } from '../../ui/text-link.ts';
import { CodePanel } from './CodePanel.tsx';
import { DocsSection } from './DocsSection.tsx';
import { Prose } from './Prose.tsx';

export function GettingStarted() {
  const { origin } = window.location;
  return (
    <DocsSection
      anchor="getting-started"
      title="Getting started"
      aside={
        <>
          <CodePanel title="Base address" code={origin + apiBase} />
          <CodePanel title="OpenAPI 3.1" code={`${origin}/openapi.json`} />
        </>
      }
    >
      <p>
        What you do with files on the dashboard, a script can do too: upload, list, mark, delete. The API is free on
        every plan.
      </p>
      <p>
        Version {apiVersion}, last updated <time dateTime={apiLastUpdated.date}>{apiLastUpdated.text}</time>.
      </p>
      <ol className="list-decimal space-y-1.5 pl-5">
        <li>
          Take your key from{' '}
          <Link to="/dashboard/account-info" className={textLink}>
            Account Info
          </Link>
          .
        </li>
        <li>
          Send it in the header <Prose text="`X-API-Key`" /> of each call.
        </li>
        <li>
          Begin with{' '}
          <a href="#upload" className={textLink}>
            Upload
          </a>
          : it answers the link of your file.
        </li>
      </ol>
      <p>
        The whole API for machines is at{' '}
        <a href="/openapi.json" className={textLink}>
          /openapi.json
        </a>
        .
      </p>
    </DocsSection>
  );
}
