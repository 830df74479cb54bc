import type { CallReference } from '@holdfast/contract/src/api-docs/reference.ts';
import { type SampleAnchor, sampleAnchors } from '@holdfast/contract/src/api-docs/sample-anchors.ts';
import { samples } from '@holdfast/contract/src/api-docs/samples.ts';
import { CodePanel } from '../../components/samples/CodePanel.tsx';
import { DocsSection } from './DocsSection.tsx';
import { LanguageSample } from './LanguageSample.tsx';
import { useLanguage } from './LanguageSwitch.tsx';
import { MethodBadge } from './MethodBadge.tsx';
import { Prose } from '../../components/Prose.tsx';
import { FieldList, StatusList } from './reference-lists.tsx';
import { ShareXNote, ShareXPanel } from './sharex.tsx';

export function CallSection({ call }: { readonly call: CallReference }) {
  const { anchor, title, method, path, aliases, text, takes, gives, statuses, example } = call;
  const sampled = sampleAnchors.find((each) => each === anchor);
  return (
    <DocsSection
      anchor={anchor}
      title={title}
      aside={
        <>
          {sampled && <CallSample anchor={sampled} title={title} />}
          {example !== '' && <CodePanel title={`${title} · response`} code={example} />}
        </>
      }
      details={
        <>
          {takes.map(({ name, fields }) => (
            <FieldList key={name} title={name} fields={fields} marksRequired />
          ))}
          {gives.length > 0 && <FieldList title="Response" fields={gives} />}
          {statuses.length > 0 && <StatusList title={anchor === 'file' ? 'Statuses' : 'Errors'} statuses={statuses} />}
          {anchor === 'upload' && <ShareXNote />}
        </>
      }
    >
      <p className="flex items-baseline gap-2.5 font-mono text-s">
        <MethodBadge method={method} />
        <span className="min-w-0 break-all">{path}</span>
      </p>
      {aliases.map((alias) => (
        <p key={alias} className="text-s text-muted">
          Also at <Prose text={`\`${alias}\``} />
        </p>
      ))}
      {text.map((paragraph) => (
        <p key={paragraph}>
          <Prose text={paragraph} />
        </p>
      ))}
    </DocsSection>
  );
}

interface CallSampleProps {
  readonly anchor: SampleAnchor;
  readonly title: string;
}

function CallSample({ anchor, title }: CallSampleProps) {
  const language = useLanguage();
  if (language === 'sharex' && anchor === 'upload') return <ShareXPanel />;
  return <LanguageSample title={title} sampleIn={(written) => samples[written][anchor]} />;
}
