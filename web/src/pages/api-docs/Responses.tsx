import { allRefusals } from '@holdfast/contract/src/api-reference.ts';
import { CodePanel } from './CodePanel.tsx';
import { DocsSection } from './DocsSection.tsx';
import { refusal, success } from './guide-examples.ts';
import { Prose } from './Prose.tsx';
import { StatusList } from './StatusList.tsx';

export function Responses() {
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
        <Prose text="Every answer to a call is a JSON object with `success`. Where that is `false`, `error` has a `code` for programs and a `message` for people. Upload alone has the message as a plain text in `error`." />
      </p>
      <p>
        Be ready for answers that are not JSON: a proxy on the way may have something to say. The HTTP status is right
        in any case.
      </p>
    </DocsSection>
  );
}
