import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { readReply } from '@holdfast/contract/src/envelope.ts';
import { expect, test } from 'vitest';
import { explainSetback, type Surroundings } from './setback.ts';

const file = new File(['kelp'], 'kelp.txt');
const allWell: Surroundings = { isOnline: () => true, noticeSessionEnd: () => false, isAnswering: async () => true };

const silentServer: Surroundings = { ...allWell, isAnswering: async () => false };

function setbackOf(status: number, text: string, retryAfter?: string, around = allWell) {
  try {
    readReply(status, text, retryAfter);
  } catch (error) {
    return explainSetback(error, file, around);
  }
  throw new Error('the reply was a success');
}

test('a refusal has the message of the server, a plain string for uploads', async () => {
  expect(await setbackOf(403, '{"success":false,"error":"Your account is full."}')).toEqual({
    kind: 'refused',
    reason: 'Your account is full.',
  });
});

test.each([200, 301, 403, 404, 502, 503, 504, 500, 520])(
  'a %i in HTML counts as an unavailable server, against the file if other calls get a response',
  async (status) => {
    const away = { kind: 'wait', trouble: 'away', retryAfterSeconds: undefined };
    expect(await setbackOf(status, '<h1>nginx</h1>', '3600')).toEqual({ ...away, lost: true });
    expect(await setbackOf(status, '<h1>nginx</h1>', undefined, silentServer)).toEqual({ ...away, lost: false });
  },
);

test('a file that is too large for a proxy is refused', async () => {
  expect(await setbackOf(413, '<h1>nginx</h1>')).toEqual({
    kind: 'refused',
    reason: 'The file is larger than the server accepts.',
    refused: true,
  });
});

test.each([413, 415, 422])('a refusal with %i cannot change', async (status) => {
  expect(await setbackOf(status, '{"success":false,"error":"No."}')).toEqual({
    kind: 'refused',
    reason: 'No.',
    refused: true,
  });
});

test.each([
  ['the server', '{"success":false,"error":"Too many requests."}', false],
  ['a proxy', '<h1>nginx</h1>', true],
])('a 429 of %s is waited for as long as requested', async (_whose, text, lost) => {
  expect(await setbackOf(429, text, '3600')).toEqual({
    kind: 'wait',
    trouble: 'busy',
    lost,
    retryAfterSeconds: 3600,
  });
});

test('a server that reports itself unavailable is waited for as long as requested', async () => {
  expect(await setbackOf(503, '{"success":false,"error":"Not available right now."}', '7')).toEqual({
    kind: 'wait',
    trouble: 'away',
    lost: false,
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

test('a file that another tab sends waits for that, and lets others go first', async () => {
  const busy = '{"success":false,"error":"Another request is sending bytes of this upload. Try again soon."}';
  expect(await setbackOf(423, busy, '1')).toEqual({
    kind: 'wait',
    trouble: 'elsewhere',
    lost: true,
    retryAfterSeconds: 1,
  });
});

test('an upload that expired, or was damaged on the way, may be sent again', async () => {
  const unknown = '{"success":false,"error":"There is no such upload, or it has expired. Start it again."}';
  expect(await setbackOf(404, unknown)).toEqual({
    kind: 'refused',
    reason: 'The part that was sent has expired or was removed. Retry to send all of it again.',
  });
  const damaged = '{"success":false,"error":"The bytes do not match Upload-Checksum. Send them again."}';
  expect(await setbackOf(460, damaged)).toEqual({
    kind: 'refused',
    reason: 'It was damaged on the way. Retry to send it again.',
  });
});

test('a file that the account has no space for may be sent again', async () => {
  const full = '{"success":false,"error":"Your account has 5 bytes left, fewer than this file has."}';
  expect(await setbackOf(413, full)).toEqual({
    kind: 'refused',
    reason: 'Your account has 5 bytes left, fewer than this file has.',
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

test('without a response, an unreadable file is refused', async () => {
  const changed = new File(['kelp'], 'kelp.txt');
  changed.slice = () => Object.assign(new Blob(), { arrayBuffer: () => Promise.reject(new DOMException('changed')) });
  expect(await explainSetback(silence, changed, allWell)).toEqual({
    kind: 'refused',
    reason: 'It cannot be read: it has changed since you chose it, or you have no permission. Choose it again.',
  });
});

test('without a response, the file counts as lost if other calls get one', async () => {
  const wait = { kind: 'wait', trouble: 'no-response' };
  expect(await explainSetback(silence, file, allWell)).toEqual({ ...wait, lost: true });
  expect(await explainSetback(silence, file, silentServer)).toEqual({ ...wait, lost: false });
});
