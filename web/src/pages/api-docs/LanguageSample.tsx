import { fillSample } from '@holdfast/contract/src/api-docs/fill-sample.ts';
import type { SampleLanguage } from '@holdfast/contract/src/api-docs/samples.ts';
import { CodePanel } from '../../components/samples/CodePanel.tsx';
import { languageNames, useLanguage } from './LanguageSwitch.tsx';
import { useSampleFacts } from '../../components/samples/sample-facts.ts';

export interface LanguageSampleProps {
  readonly title: string;
  readonly sampleIn: (language: SampleLanguage) => string;
}

/** A sample in the chosen language. ShareX is not a language, so curl replaces it. */
export function LanguageSample({ title, sampleIn }: LanguageSampleProps) {
  const language = useLanguage();
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
