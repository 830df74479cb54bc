import { fillSample, type SampleAnchor, samples } from '@holdfast/contract/src/api-samples.ts';
import { CodePanel } from './CodePanel.tsx';
import { languageNames, useLanguage } from './language.ts';
import { useSampleFacts } from './sample-facts.ts';
import { ShareXPanel } from './ShareXPanel.tsx';

export interface CallSampleProps {
  readonly anchor: SampleAnchor;
  readonly title: string;
}

export function CallSample({ anchor, title }: CallSampleProps) {
  const [language] = useLanguage();
  const { shown, copied } = useSampleFacts();
  if (language === 'sharex' && anchor === 'upload') return <ShareXPanel />;
  const written = language === 'sharex' ? 'curl' : language;
  const sample = samples[written][anchor];
  return (
    <>
      {language === 'sharex' && <p className="text-s text-muted">ShareX only uploads, so this sample is for curl.</p>}
      <CodePanel
        title={`${title} · ${languageNames[written]}`}
        code={fillSample(sample, shown)}
        copied={fillSample(sample, copied)}
      />
    </>
  );
}
