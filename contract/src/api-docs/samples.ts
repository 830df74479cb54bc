/**
 * A program for each call in each language, as the docs show it and a test runs it. `{{origin}}` and `{{key}}` are
 * filled in; `hello.txt` is in the folder where it runs, and `q7Rt2mXa` is a file of the account.
 */
import type { Samples } from './sample-anchors.ts';
import { curlSamples } from './samples-curl.ts';
import { javaSamples } from './samples-java.ts';
import { javascriptSamples } from './samples-javascript.ts';
import { pythonSamples } from './samples-python.ts';

export const sampleLanguages = ['curl', 'javascript', 'python', 'java'] as const;
export type SampleLanguage = (typeof sampleLanguages)[number];

export const samples: Readonly<Record<SampleLanguage, Samples>> = {
  curl: curlSamples,
  javascript: javascriptSamples,
  python: pythonSamples,
  java: javaSamples,
};

/** Placeholder in samples when the reader's key is unknown. */
export const keyPlaceholder = 'YOUR_API_KEY';

export interface SampleFacts {
  readonly origin: string;
  readonly key: string;
}

export const fillSample = (sample: string, { origin, key }: SampleFacts): string =>
  sample.replaceAll('{{origin}}', () => origin).replaceAll('{{key}}', () => key);
