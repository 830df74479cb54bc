import { expect, test } from 'vitest';
import { keyCalls, refusalTexts } from './call-texts.ts';
import { exampleReplies } from './examples.ts';
import { allRefusals, apiReference } from './reference.ts';
import { sampleAnchors } from './sample-anchors.ts';
import { sampleLanguages, samples } from './samples.ts';
import { endpoints } from '../endpoints.ts';

test('the reference lists the calls in order, each with its method', () => {
  expect(apiReference.map(({ anchor, method }) => `${method} ${anchor}`)).toEqual([
    'GET file',
    'POST upload',
    'PUT put-file',
    'POST upload-batch',
    'POST tus',
    'GET get-file-list',
    'POST toggle-favorite',
    'DELETE delete-files',
    'POST restore-files',
    'GET get-account-info',
    'GET get-account-settings',
  ]);
});

test('every field of a request and a response has an explanation', () => {
  const fields = apiReference.flatMap(({ anchor, takes, gives }) =>
    [...takes.flatMap((group) => group.fields), ...gives].map((field) => ({ anchor, ...field })),
  );
  expect(fields.length).toBeGreaterThan(50);
  expect(fields.filter(({ text }) => text === '')).toEqual([]);
});

test('every refusal of a call has an explanation', () => {
  const refusals = [...apiReference.flatMap(({ statuses }) => statuses), ...allRefusals];
  expect(refusals.filter(({ text }) => text === '')).toEqual([]);
  expect(refusalTexts.RATE_LIMITED).toContain('Retry-After');
});

test.each(keyCalls)('the example response of %s matches its schema', (name) => {
  expect(endpoints[name].reply.safeParse(exampleReplies[name]).error?.issues).toBeUndefined();
});

test('every call has a sample in curl, and every usual one in each language', () => {
  const anchors = apiReference.map(({ anchor }) => anchor);
  expect(anchors.toSorted()).toEqual(sampleAnchors.toSorted());
  expect(Object.keys(samples.curl)).toEqual(anchors);
  const usual = Object.keys(samples.java);
  expect(usual).toHaveLength(8);
  for (const language of sampleLanguages) expect(Object.keys(samples[language])).toEqual(expect.arrayContaining(usual));
});
