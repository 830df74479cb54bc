import { expect, test } from 'vitest';
import { maskEnvelope } from './mask-envelope.ts';

const link = 'https://holdfast.example/reset-password#key=abc';
const masked = 'https://holdfast.example/reset-password#…';

test('every text of a report is masked', () => {
  const report = [{ event_id: '1' }, [[{ type: 'event' }, { request: { url: link }, exception: [{ value: link }] }]]];
  expect(maskEnvelope(report)).toEqual([
    { event_id: '1' },
    [[{ type: 'event' }, { request: { url: masked }, exception: [{ value: masked }] }]],
  ]);
});

test('a recording is masked line by line, with its new length in bytes', () => {
  const lines = (address: string) => `{"segment_id":0}\n[{"type":4,"data":{"href":"${address}"}}]`;
  const text = lines(masked);
  expect(maskEnvelope([{}, [[{ type: 'replay_recording', length: 1 }, lines(link)]]])).toEqual([
    {},
    [[{ type: 'replay_recording', length: new TextEncoder().encode(text).length }, text]],
  ]);
});

test('an item that cannot be masked is not sent', () => {
  const kept = [{ type: 'event' }, { level: 'error' }];
  expect(maskEnvelope([{}, [[{ type: 'attachment' }, new Uint8Array(4)], kept]])).toEqual([{}, [kept]]);
});
