import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { expect, test } from 'vitest';
import { errorMessage, formErrorMessage, serverMessage } from './errors.ts';

const refused = new CallFailed('refused', 409, { code: 'EMAIL_TAKEN', serverMessage: 'An account exists.' });
const silent = new CallFailed('no-response', 0);

test('a missing response is shown as a connection problem', () => {
  expect(errorMessage(silent)).toBe('No response from server. Please check your connection.');
});

test('the message of an error is used next, and a default message last', () => {
  expect(errorMessage(new Error('Bot check not loaded'))).toBe('Bot check not loaded');
  expect(errorMessage(new Error(''))).toBe('Something went wrong!');
  expect(errorMessage('a string')).toBe('Something went wrong!');
});

test('a page may set its own message for a failure without one', () => {
  expect(serverMessage(refused, 'Reset failed')).toBe('An account exists.');
  expect(serverMessage(silent, 'Reset failed')).toBe('Reset failed');
});

test('the fallback of a form replaces only a missing message of a refusal', () => {
  expect(formErrorMessage(new CallFailed('refused', 401), 'Signup failed.')).toBe('Signup failed.');
  expect(formErrorMessage(refused, 'Signup failed.')).toBe('An account exists.');
  expect(formErrorMessage(silent, 'Signup failed.')).toBe('No response from server. Please check your connection.');
});
