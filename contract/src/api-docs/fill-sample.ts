export const keyPlaceholder = 'YOUR_API_KEY';

export interface SampleFacts {
  readonly origin: string;
  readonly key: string;
}

export const fillSample = (sample: string, { origin, key }: SampleFacts): string =>
  sample.replaceAll('{{origin}}', () => origin).replaceAll('{{key}}', () => key);
