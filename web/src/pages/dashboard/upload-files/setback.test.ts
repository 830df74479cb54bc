import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { readReply } from '@holdfast/contract/src/envelope.ts';
import { expect, test } from 'vitest';
import { explainSetback, type Surroundings } from './setback.ts';

const file = new File(['kelp'], 'kelp.txt');
const allWell: Surroundings = { isOnline: () => true, noticeSessionEnd: () => false, isAnswering: async () => true };

function setbackOf(status: number, text: string, retryAfter?: string) {
  try {
    readReply(status, text, retryAfter);
  } catch (error) {
    return explainSetback(error, file, allWell);
  }
  throw new Error('the reply was a success');
}

test('a refusal has the message of the server, a plain string for uploads', async () => {
  expect(await setbackOf(403, '{"success":false,"error":"Your account is full."}')).toEqual({
    kind: 'refused',
    reason: 'Your account is full.',
  });
});

test.each([502, 503, 504, 500, 520])('a %i in HTML counts as an unavailable server', async (status) => {
  expect(await setbackOf(status, '<h1>nginx</h1>')).toEqual({ kind: 'away', retryAfterSeconds: undefined });
});

test('a server that reports itself unavailable is waited for as long as requested', async () => {
  expect(await setbackOf(503, '{"success":false,"error":"Not available right now."}', '7')).toEqual({
    kind: 'away',
    retryAfterSeconds: 7,
  });
});

test('messages about the Idempotency-Key are replaced by readable ones', async () => {
  const reused = '{"success":false,"error":"This Idempotency-Key belongs to another file."}';
  expect(await setbackOf(422, reused)).toMatchObject({
    reason: 'It has changed since you chose it. Choose it again.',
  });
  expect(await setbackOf(422, '{"success":false,"error":"Malware."}')).toMatchObject({ reason: 'Malware.' });
  expect(await setbackOf(410, '{"success":false,"error":"Send a new Idempotency-Key."}')).toEqual({
    kind: 'refused',
    reason: 'It was stored and has been deleted since. Retry to store it again.',
    deleted: true,
  });
});

const silence = new CallFailed('no-response', 0);

test('an ended session is reported as signed out', async () => {
  expect(await explainSetback(silence, file, { ...allWell, noticeSessionEnd: () => true })).toEqual({
    kind: 'signed-out',
  });
});

test('without a response, an offline browser counts as offline', async () => {
  expect(await explainSetback(silence, file, { ...allWell, isOnline: () => false })).toEqual({ kind: 'offline' });
});

test('without a response, an unreadable file counts as changed', async () => {
  const changed = new File(['kelp'], 'kelp.txt');
  changed.slice = () => Object.assign(new Blob(), { arrayBuffer: () => Promise.reject(new DOMException('changed')) });
  expect(await explainSetback(silence, changed, allWell)).toEqual({
    kind: 'refused',
    reason: 'It has changed since you chose it. Choose it again.',
  });
});

test('without a response, the file counts as lost if other calls get one', async () => {
  expect(await explainSetback(silence, file, allWell)).toEqual({ kind: 'no-answer', lost: true });
  const dead = { ...allWell, isAnswering: async () => false };
  expect(await explainSetback(silence, file, dead)).toEqual({ kind: 'no-answer', lost: false });
});
