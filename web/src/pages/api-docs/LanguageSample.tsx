import { fillSample, type SampleLanguage } from '@holdfast/contract/src/api-samples.ts';
import { CodePanel } from './CodePanel.tsx';
import { languageNames, useLanguage } from './language.ts';
import { useSampleFacts } from './sample-facts.ts';

export interface LanguageSampleProps {
  readonly title: string;
  readonly sampleIn: (language: SampleLanguage) => string;
}

/** A sample in the language that the reader chose. ShareX is none: curl stands in for it. */
export function LanguageSample({ title, sampleIn }: LanguageSampleProps) {
  const [language] = useLanguage();
  const { shown, copied } = useSampleFacts();
  const written = language === 'sharex' ? 'curl' : language;
  const sample = sampleIn(written);
  return (
    <CodePanel
      title={`${title} · ${languageNames[written]}`}
      code={fillSample(sample, shown)}
      copied={fillSample(sample, copied)}
    />
  );
}
