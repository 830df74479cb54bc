import { retrySamples } from '@holdfast/contract/src/api-samples-retry.ts';
import { CodePanel } from './CodePanel.tsx';
import { DocsSection } from './DocsSection.tsx';
import { limitedAnswer, rateLimitHeaders } from './guide-examples.ts';
import { FieldList } from './FieldList.tsx';
import { LanguageSample } from './LanguageSample.tsx';
import { Prose } from './Prose.tsx';

export function RateLimits() {
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
        One IP address may make <strong>4 requests per second</strong>, all its keys together. Beyond that the answer is{' '}
        <Prose text="429 `RATE_LIMITED`, and `Retry-After` says in how many seconds to try again. Refused requests cost nothing." />
      </p>
      <p>Downloads do not count. Every answer says where you stand:</p>
    </DocsSection>
  );
}
