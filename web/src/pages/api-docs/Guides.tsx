import { apiBase, apiLastUpdated, apiVersion } from '@holdfast/contract/src/api-docs/call-texts.ts';
import type { DocumentedField } from '@holdfast/contract/src/api-docs/field-reference.ts';
import { allRefusals } from '@holdfast/contract/src/api-docs/reference.ts';
import type { SampleFacts } from '@holdfast/contract/src/api-docs/fill-sample.ts';
import { retrySamples } from '@holdfast/contract/src/api-docs/samples-retry.ts';
import { calls } from '@holdfast/contract/src/calls.ts';
import { failureToReply } from '@holdfast/contract/src/envelope.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import { Link } from '@tanstack/react-router';
import { useAccount } from '../../api/account/account.ts';
import { site } from '../../lib/site.ts';
import { textLink } from '../../ui/text-link.ts';
import { CodePanel } from '../../components/samples/CodePanel.tsx';
import { DocsSection } from './DocsSection.tsx';
import { LanguageSample } from './LanguageSample.tsx';
import { Prose } from '../../components/Prose.tsx';
import { FieldList, StatusList } from './reference-lists.tsx';
import { useSampleFacts } from '../../components/samples/sample-facts.ts';

/** The sections before the endpoints. */
export function Guides() {
  return (
    <>
      <GettingStarted />
      <RateLimits />
      <Requests />
      <Responses />
      <Authentication />
    </>
  );
}

function GettingStarted() {
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
        Everything the dashboard does with files, your scripts can do: upload, list, favorite, delete.
        {site.pricing && ' The API is free on every plan.'}
      </p>
      <p>
        Version {apiVersion}, last updated <time dateTime={apiLastUpdated.date}>{apiLastUpdated.text}</time>.
      </p>
      <ol className="list-decimal space-y-1.5 pl-5">
        <li>
          Copy your key from{' '}
          <Link to="/dashboard/account-info" className={textLink}>
            Account Info
          </Link>
          .
        </li>
        <li>
          Send it in the header <Prose text="`X-API-Key`" /> of each call.
        </li>
        <li>
          Start with{' '}
          <a href="#upload" className={textLink}>
            Upload
          </a>
          . It returns your file’s link.
        </li>
      </ol>
      <p>
        <Prose text="The SDK `@holdfast/client` retries, resumes and reports progress, in Node 20, Deno, Bun and browsers. Its archive is beside each release of Holdfast." />
      </p>
      <p>
        OpenAPI description:{' '}
        <a href="/openapi.json" className={textLink}>
          /openapi.json
        </a>
        .
      </p>
    </DocsSection>
  );
}

function RateLimits() {
  return (
    <DocsSection
      anchor="rate-limits"
      title="Rate limits"
      aside={
        <>
          <CodePanel title="Beyond the limit" code={limitedAnswer} />
          <LanguageSample title="Wait, then try again" sampleIn={(language) => retrySamples[language]} />
        </>
      }
      details={<FieldList title="Headers" fields={rateLimitHeaders} />}
    >
      <p>
        The limit is <strong>4 requests per second</strong> per IP address, across all keys.{' '}
        <Prose text="Above that you get 429 `RATE_LIMITED`; wait the seconds in `Retry-After`. Refused requests don’t count." />
      </p>
      <p>
        Uploads have a separate limit: <strong>200 files per second</strong> for each key, four at a time. Downloads are
        not limited. Every response has these headers:
      </p>
    </DocsSection>
  );
}

const limitedAnswer = `HTTP/1.1 429 Too Many Requests
RateLimit-Limit: 4
RateLimit-Remaining: 0
RateLimit-Reset: 1
Retry-After: 1
Content-Type: application/json; charset=utf-8

${asText(failureToReply(new Failure('RATE_LIMITED'), false))}`;

const headerField = (name: string, text: string): DocumentedField => ({
  name,
  type: 'integer',
  isRequired: true,
  text,
});

const rateLimitHeaders: readonly DocumentedField[] = [
  headerField('RateLimit-Limit', 'Burst size.'),
  headerField('RateLimit-Remaining', 'Calls left.'),
  headerField('RateLimit-Reset', 'Seconds until the full burst is available again.'),
  headerField('Retry-After', 'With 429: seconds to wait before the next try.'),
];

function Requests() {
  const { shown, copied } = useSampleFacts();
  return (
    <DocsSection
      anchor="api-requests"
      title="API requests"
      aside={<CodePanel title="A request" code={requestExample(shown)} copied={requestExample(copied)} />}
    >
      <p>
        <Prose text="GET calls take their parameters in the query. The others take a JSON object with `Content-Type: application/json`, except uploads." />
      </p>
      <ul className="list-disc space-y-1.5 pl-5">
        <li>Sizes are bytes. Times are RFC 3339 in UTC.</li>
        <li>A file is named by its stored name, without an extension.</li>
        <li>Out-of-range values return an error that names the parameter.</li>
        <li>Duplicate JSON fields are rejected.</li>
      </ul>
    </DocsSection>
  );
}

const { method, path } = calls.toggleFavorite;
const requestExample = ({ origin, key }: SampleFacts) => `${method} ${path} HTTP/1.1
Host: ${new URL(origin).host}
X-API-Key: ${key}
Content-Type: application/json

{"file": "q7Rt2mXa"}`;

function Responses() {
  return (
    <DocsSection
      anchor="api-responses"
      title="API responses"
      aside={
        <>
          <CodePanel title="Success" code={success} />
          <CodePanel title="Failure" code={refusal} />
        </>
      }
      details={<StatusList title="Errors" statuses={allRefusals} />}
    >
      <p>
        <Prose text="Every response is a JSON object with `success`. If it is `false`, `error` has a `code` for programs and a `message` for people. Only in uploads of one file, `error` is the message itself." />
      </p>
      <p>A proxy in between may send responses that are not JSON. The HTTP status is always valid.</p>
    </DocsSection>
  );
}

const success = asText({ success: true, deleted: ['q7Rt2mXa'] });
const refusal = asText(failureToReply(new Failure('FILE_NOT_FOUND'), false));

function asText(value: object): string {
  return JSON.stringify(value, null, 2);
}

function Authentication() {
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
        <Prose text="Send your API key in the `X-API-Key` header, or as `Authorization: Bearer`. It is not accepted in the query. Downloads need no key." />
      </p>
      <p>
        {account ? (
          <>The samples on this page contain your own key: masked on the screen, complete when you copy. It is on </>
        ) : (
          <>Sign in to have your own key in the samples that you copy. You can find it on </>
        )}
        <Link to="/dashboard/account-info" className={textLink}>
          Account Info
        </Link>
        .
      </p>
      <p>
        Anyone who has the key can upload, list and delete your files. Keep it out of web pages and repositories. If it
        leaks,{' '}
        <Link to="/dashboard/change-api" className={textLink}>
          change it
        </Link>
        : the old key stops working immediately. Sharing an account or its key is not supported; the owner is
        responsible for all activity.
      </p>
    </DocsSection>
  );
}
