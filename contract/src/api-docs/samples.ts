/** `hello.txt` is in the folder where a sample runs, and `q7Rt2mXa` is a file of the account. */
import type { Samples } from './sample-anchors.ts';
import { curlSamples } from './samples-curl.ts';
import { javaSamples } from './samples-java.ts';
import { javascriptSamples } from './samples-javascript.ts';
import { pythonSamples } from './samples-python.ts';
import { sdkSamples } from './samples-sdk.ts';

export const sampleLanguages = ['curl', 'sdk', 'javascript', 'python', 'java'] as const;
export type SampleLanguage = (typeof sampleLanguages)[number];

export const samples: Readonly<Record<SampleLanguage, Samples>> = {
  curl: curlSamples,
  sdk: sdkSamples,
  javascript: javascriptSamples,
  python: pythonSamples,
  java: javaSamples,
};
