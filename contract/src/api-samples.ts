/**
 * A program for each call in each language, as the docs show it and as a test runs it. `{{origin}}` and `{{key}}` are
 * filled in; `hello.txt` lies in the folder where it runs, and `q7Rt2mXa` is a file of the account.
 */
import { curlSamples } from './api-samples-curl.ts';
import { javaSamples } from './api-samples-java.ts';
import { javascriptSamples } from './api-samples-javascript.ts';
import { pythonSamples } from './api-samples-python.ts';

/** The anchors of the calls that have samples. */
export const sampleAnchors = [
  'file',
  'upload',
  'get-file-list',
  'toggle-favorite',
  'delete-files',
  'get-account-info',
  'get-account-settings',
] as const;
export type SampleAnchor = (typeof sampleAnchors)[number];
export type Samples = Readonly<Record<SampleAnchor, string>>;

export const sampleLanguages = ['curl', 'javascript', 'python', 'java'] as const;
export type SampleLanguage = (typeof sampleLanguages)[number];

export const samples: Readonly<Record<SampleLanguage, Samples>> = {
  curl: curlSamples,
  javascript: javascriptSamples,
  python: pythonSamples,
  java: javaSamples,
};

/** What stands in a sample where nobody's key is known. */
export const keyPlaceholder = 'YOUR_API_KEY';

export interface SampleFacts {
  readonly origin: string;
  readonly key: string;
}

export const fillSample = (sample: string, { origin, key }: SampleFacts): string =>
  sample.replaceAll('{{origin}}', () => origin).replaceAll('{{key}}', () => key);
