import { expect, onTestFinished, test, vi } from 'vitest';
import { errorReply } from './error-reply.ts';
import { CallFailed } from './call-failed.ts';
import { failureToReply, readReply } from './envelope.ts';
import { errorCatalog, Failure } from './errors.ts';

function failureOf(status: number, text: string, retryAfter?: string): CallFailed {
  try {
    readReply(status, text, retryAfter);
  } catch (error) {
    if (error instanceof CallFailed) return error;
  }
  throw new Error('no CallFailed was thrown');
}

test('a successful response is read without its success flag', () => {
  expect(readReply(200, '{"success":true,"url":"x","more":[1]}')).toEqual({ url: 'x', more: [1] });
  expect(readReply(200, '{"success":true}')).toEqual({});
});

test('a refusal is read with its code and message', () => {
  expect(failureOf(409, '{"success":false,"error":{"code":"EMAIL_TAKEN","message":"Taken"}}')).toMatchObject({
    problem: 'refused',
    status: 409,
    code: 'EMAIL_TAKEN',
    serverMessage: 'Taken',
    message: 'Taken',
  });
});

test.each(['{"success":false}', '{"success":false,"error":null}', '{"success":false,"error":{"code":7}}'])(
  'the refusal %s without a message gets a default message',
  (text) => {
    const failure = failureOf(400, text);
    expect(failure).toMatchObject({ problem: 'refused', code: undefined, serverMessage: undefined });
    expect(failure.message).toMatch(/\S/);
  },
);

test.each([
  '',
  '<html>502 Bad Gateway</html>',
  'null',
  '[]',
  '"text"',
  '42',
  '{}',
  '{"success":"yes"}',
  '{"success":true',
])('the response %j is unreadable', (text) => {
  expect(failureOf(502, text)).toMatchObject({ problem: 'unreadable', status: 502, serverMessage: undefined });
});

test.each([
  ['100', 100],
  ['0', 0],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 90],
  ['Wed, 21 Oct 2026 07:26:30 GMT', 0],
  ['Wed, 21 Oct 2026 07:26:29 GMT', undefined],
  ['Wed, 21 Oct 2099 07:28:00 GMT', undefined],
  ['2026-10-21', undefined],
  ['soon', undefined],
  ['-5', undefined],
  ['', undefined],
])('Retry-After %j is %j seconds', (header, seconds) => {
  vi.useFakeTimers({ now: Date.UTC(2026, 9, 21, 7, 26, 30) });
  onTestFinished(() => void vi.useRealTimers());
  expect(failureOf(429, '{"success":false,"error":"Slow down"}', header).retryAfterSeconds).toBe(seconds);
  expect(failureOf(429, 'slow down', header).retryAfterSeconds).toBe(seconds);
});

test.each(Object.keys(errorCatalog) as (keyof typeof errorCatalog)[])('%s is read as it was sent', (code) => {
  const { status, message } = errorCatalog[code];
  const reply = failureToReply(new Failure(code), false);
  expect(errorReply.parse(reply)).toEqual(reply);
  expect(failureOf(status, JSON.stringify(reply))).toMatchObject({ code, serverMessage: message });
  const plain = failureToReply(new Failure(code), true);
  expect(errorReply.parse(plain)).toEqual({ success: false, error: message });
});
