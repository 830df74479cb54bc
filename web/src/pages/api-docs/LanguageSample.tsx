import { fillSample } from '@holdfast/contract/src/api-docs/fill-sample.ts';
import type { SampleLanguage } from '@holdfast/contract/src/api-docs/samples.ts';
import { CodePanel } from '../../components/samples/CodePanel.tsx';
import { languageNames, useLanguage } from './LanguageSwitch.tsx';
import { useSampleFacts } from '../../components/samples/sample-facts.ts';

export interface LanguageSampleProps {
  readonly title: string;
  readonly sampleIn: (language: SampleLanguage) => string | undefined;
}

/** A sample in the chosen language, or where it has none, in curl. */
export function LanguageSample({ title, sampleIn }: LanguageSampleProps) {
  const language = useLanguage();
  const { shown, copied } = useSampleFacts();
  const own = language === 'sharex' ? undefined : sampleIn(language);
  const written = own === undefined ? 'curl' : language;
  const sample = own ?? sampleIn('curl') ?? '';
  return (
    <>
      {own === undefined && <p className="text-s text-muted">This sample is for curl.</p>}
      <CodePanel
        title={`${title} · ${languageNames[written]}`}
        code={fillSample(sample, shown)}
        copied={fillSample(sample, copied)}
      />
    </>
  );
}
