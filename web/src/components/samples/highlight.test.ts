import { sampleLanguages, samples } from '@holdfast/contract/src/api-docs/samples.ts';
import { expect, test } from 'vitest';
import { highlight } from './highlight.ts';

test('strings and words are distinguished', () => {
  expect(highlight('print("kelp", 10)').map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'word print',
    'text (',
    'string "kelp"',
    'text , 10)',
  ]);
});

test('a highlighted sample keeps all its characters', () => {
  for (const language of sampleLanguages)
    for (const sample of Object.values(samples[language]))
      expect(
        highlight(sample)
          .map(({ text }) => text)
          .join(''),
      ).toBe(sample);
});
