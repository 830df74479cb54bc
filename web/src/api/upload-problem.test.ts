import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { readReply } from '@holdfast/contract/src/envelope.ts';
import { expect, test } from 'vitest';
import { uploadProblem } from './upload-problem.ts';

function problemOf(status: number, text: string) {
  try {
    readReply(status, text);
  } catch (error) {
    return uploadProblem(error);
  }
  throw new Error('the reply was a success');
}

test('a refusal is told in the words of the server, a plain string on uploads', () => {
  expect(problemOf(403, '{"success":false,"error":"Your account is full."}')).toEqual({
    answered: true,
    reason: 'Your account is full.',
  });
});

test('an answer that is not JSON reads well', () => {
  expect(problemOf(413, '<html>nginx</html>').reason).toBe('The file is larger than the server accepts.');
  expect(problemOf(429, 'slow down').reason).toBe('Too many requests. Wait a moment and try again.');
  expect(problemOf(502, '').reason).toContain('502');
});

test('a refusal without words has no reason', () => {
  expect(problemOf(500, '{"success":false}')).toEqual({ answered: true, reason: undefined });
});

test('where nothing came back there is no reason, but something to do', () => {
  expect(uploadProblem(new CallFailed('no-response', 0))).toEqual({
    answered: false,
    reason: undefined,
    hint: 'No response from server. Please check your connection.',
  });
});

test('a bug of our own is not shown as if the server had said it', () => {
  expect(uploadProblem(new TypeError('x is undefined'))).toEqual({ answered: true, reason: undefined });
});
