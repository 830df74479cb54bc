import { CodePanel } from './CodePanel.tsx';
import { DocsSection } from './DocsSection.tsx';
import { requestExample } from './guide-examples.ts';
import { Prose } from './Prose.tsx';
import { useSampleFacts } from './sample-facts.ts';

export function Requests() {
  const { shown, copied } = useSampleFacts();
  return (
    <DocsSection
      anchor="api-requests"
      title="API requests"
      aside={<CodePanel title="A request" code={requestExample(shown)} copied={requestExample(copied)} />}
    >
      <p>
        <Prose text="GET calls take their parameters in the query. The others take a JSON object with `Content-Type: application/json`, except Upload, which takes a form." />
      </p>
      <ul className="list-disc space-y-1.5 pl-5">
        <li>Sizes are bytes. Times are RFC 3339 in UTC.</li>
        <li>A file is named by its stored name, without an extension.</li>
        <li>A value that is not allowed is an error that names its parameter. Nothing is clamped.</li>
        <li>A JSON body that has one field twice is refused.</li>
      </ul>
    </DocsSection>
  );
}
