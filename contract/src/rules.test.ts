import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { code, email, forgotPasswordEmail, newPassword, signUpEmail, signUpForm } from './rules.ts';

const firstMessage = (schema: z.ZodMiniType, input: unknown) => schema.safeParse(input).error?.issues[0]?.message;

test.each(['ada@example.com', 'Ada.Lovelace+tag@mail.example.co.uk', "o'hara@example.com", 'a@b.cd', 'x_y@1.example'])(
  '%s is an email',
  (address) => {
    expect(email.parse(address)).toBe(address);
  },
);

test.each([
  'ada',
  '@example.com',
  'ada@',
  'ada@example',
  'a da@example.com',
  'ada@exam ple.com',
  'ada@-example.com',
  'ada@example..com',
  'ada@@example.com',
  'ada@example.com\nx',
])('%j is refused as an email, with the message of each form', (address) => {
  expect(firstMessage(email, address)).toBe('Enter a valid email address');
  expect(firstMessage(signUpEmail, address)).toBe('Enter a valid email address');
  expect(firstMessage(forgotPasswordEmail, address)).toBe('Enter a valid email');
});

test.each([email, signUpEmail, forgotPasswordEmail])('an empty or missing email is required', (schema) => {
  for (const input of ['', '   ', undefined, null, 7]) expect(firstMessage(schema, input)).toBe('Email is required');
});

test('only a sign-up refuses a plus sign', () => {
  expect(firstMessage(signUpEmail, 'ada+x@example.com')).toBe("Address must not contain a '+'.");
  expect(email.safeParse('ada+x@example.com').success).toBe(true);
  expect(forgotPasswordEmail.safeParse('ada+x@example.com').success).toBe(true);
});

test.each([
  ['', 'Password is required'],
  [undefined, 'Password is required'],
  ['Short-1', 'Minimum 8 characters'],
  ['alllower1', 'Must include uppercase, lowercase, and a number'],
  ['ALLUPPER1', 'Must include uppercase, lowercase, and a number'],
  ['NoNumbers', 'Must include uppercase, lowercase, and a number'],
  ['Long-Enough-1', undefined],
  ['Unïcode-1', undefined],
  ['line\nBreak1', undefined],
  [`Aa1${'x'.repeat(254)}`, 'Maximum 256 bytes: accented letters and emoji take more than one'],
  [`Aa1${'ü'.repeat(127)}`, 'Maximum 256 bytes: accented letters and emoji take more than one'],
])('the new password %j gives %j', (password, message) => {
  expect(firstMessage(newPassword, password)).toBe(message);
});

test.each([
  ['', 'OTP is required'],
  [undefined, 'OTP is required'],
  ['12345', 'OTP must be 6 digits'],
  ['1234567', 'OTP must be 6 digits'],
  ['123456', undefined],
  [' 123456\n', undefined],
])('the code %j gives %j', (input, message) => {
  expect(firstMessage(code, input)).toBe(message);
});

test('the second password is required and must equal the first', () => {
  const form = { email: 'ada@example.com', password: 'Long-Enough-1', password2: 'Long-Enough-1' };
  const problem = (password2: unknown) => {
    const issue = signUpForm.safeParse({ ...form, password2 }).error?.issues[0];
    return issue && { at: issue.path.join('.'), message: issue.message };
  };
  expect(problem('Long-Enough-1')).toBeUndefined();
  expect(problem('')).toEqual({ at: 'password2', message: 'Please confirm your password' });
  expect(problem(undefined)).toEqual({ at: 'password2', message: 'Please confirm your password' });
  expect(problem('Long-Enough-2')).toEqual({ at: 'password2', message: 'Passwords do not match' });
});
