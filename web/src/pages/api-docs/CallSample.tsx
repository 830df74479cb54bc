import { type SampleAnchor, samples } from '@holdfast/contract/src/api-samples.ts';
import { LanguageSample } from './LanguageSample.tsx';
import { useLanguage } from './language.ts';
import { ShareXPanel } from './ShareXPanel.tsx';

export interface CallSampleProps {
  readonly anchor: SampleAnchor;
  readonly title: string;
}

export function CallSample({ anchor, title }: CallSampleProps) {
  const [language] = useLanguage();
  if (language === 'sharex' && anchor === 'upload') return <ShareXPanel />;
  return (
    <>
      {language === 'sharex' && <p className="text-s text-muted">ShareX only uploads, so this sample is for curl.</p>}
      <LanguageSample title={title} sampleIn={(written) => samples[written][anchor]} />
    </>
  );
}
