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

test('a refusal is told in the words of the server, a plain string on uploads', async () => {
  expect(await setbackOf(403, '{"success":false,"error":"Your account is full."}')).toEqual({
    kind: 'refused',
    reason: 'Your account is full.',
  });
});

test('an answer that is not JSON reads well', async () => {
  const words = async (status: number) => setbackOf(status, '<html>nginx</html>');
  expect(await words(413)).toEqual({ kind: 'refused', reason: 'The file is larger than the server accepts.' });
  expect(await words(429)).toEqual({ kind: 'refused', reason: 'Too many requests. Wait a moment and try again.' });
  expect(await words(403)).toEqual({ kind: 'refused', reason: expect.stringContaining('403') });
});

test('a refusal without words has no reason', async () => {
  expect(await setbackOf(500, '{"success":false}')).toEqual({ kind: 'refused', reason: undefined });
});

test.each([502, 503, 504, 500, 520])('a %i in HTML is a server that is away', async (status) => {
  expect(await setbackOf(status, '<h1>nginx</h1>')).toEqual({ kind: 'away', retryAfterSeconds: undefined });
});

test('a server that says that it is not available is away for as long as it says', async () => {
  expect(await setbackOf(503, '{"success":false,"error":"Not available right now."}', '7')).toEqual({
    kind: 'away',
    retryAfterSeconds: 7,
  });
});

test('an error of the server in its own words is a refusal of this file', async () => {
  expect(await setbackOf(500, '{"success":false,"error":"Something went wrong."}')).toMatchObject({ kind: 'refused' });
});

test('words about the key of the page are said as people know it', async () => {
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

test('a bug of our own is not shown as if the server had said it', async () => {
  expect(await explainSetback(new TypeError('x is undefined'), file, allWell)).toEqual({
    kind: 'refused',
    reason: undefined,
  });
});

const silence = new CallFailed('no-response', 0);

test('a session that is over is told by what notices it', async () => {
  expect(await explainSetback(silence, file, { ...allWell, noticeSessionEnd: () => true })).toEqual({
    kind: 'signed-out',
  });
});

test('without an answer, a browser that is offline is offline', async () => {
  expect(await explainSetback(silence, file, { ...allWell, isOnline: () => false })).toEqual({ kind: 'offline' });
});

test('without an answer, a file that cannot be read has changed', async () => {
  const changed = new File(['kelp'], 'kelp.txt');
  changed.slice = () => Object.assign(new Blob(), { arrayBuffer: () => Promise.reject(new DOMException('changed')) });
  expect(await explainSetback(silence, changed, allWell)).toEqual({
    kind: 'refused',
    reason: 'It has changed since you chose it. Choose it again.',
  });
});

test('without an answer, the file is lost where another call is answered', async () => {
  expect(await explainSetback(silence, file, allWell)).toEqual({ kind: 'no-answer', lost: true });
  const dead = { ...allWell, isAnswering: async () => false };
  expect(await explainSetback(silence, file, dead)).toEqual({ kind: 'no-answer', lost: false });
});
