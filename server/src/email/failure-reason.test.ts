import { expect, test } from 'vitest';
import { OperatorError } from '../lib/operator-error.ts';
import { reasonOf } from './failure-reason.ts';

const key = 'yHRiGG2J3AJ_-xEbimY4Qk7LzK1dwrgywCCWHIo0GkU';

test.each([
  ['Message failed: 550 5.7.1 Relaying denied', 'Message failed: 550 5.7.1 Relaying denied'],
  ['451 4.3.0 Try again later, greylisted.', '451 4.3.0 Try again later, greylisted.'],
  ['connect ECONNREFUSED 127.0.0.1:25', 'connect ECONNREFUSED …'],
  [`Message failed: 451 suspicious URL parameter key=${key}`, 'Message failed: 451 suspicious URL parameter …'],
  ['Message failed: 451 digits 493 449 are not nice', 'Message failed: 451 digits … are not nice'],
  ['Message failed: 493449', 'Message failed: …'],
  ['Invalid login: 535 AUTH PLAIN AG1haWx1c2VyAFN1cDNyUzNjcmV0TWFpbFB3', 'Invalid login: 535 AUTH PLAIN …'],
  ['550 https://files.example/reset-password#key=abc refused', '550 … refused'],
])('%s', (message, reason) => expect(reasonOf(new Error(message))).toBe(reason));

test('any thrown value gives a short reason', () => {
  expect(reasonOf('down')).toBe('down');
  expect(reasonOf(new Error('word '.repeat(500))).length).toBeLessThanOrEqual(300);
});

test('our own sentence is not masked', () => {
  expect(reasonOf(new OperatorError('connect ECONNREFUSED 127.0.0.1:25'))).toBe('connect ECONNREFUSED 127.0.0.1:25');
});
