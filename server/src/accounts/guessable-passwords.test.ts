import { newPassword } from '@holdfast/contract/src/rules.ts';
import { expect, test } from 'vitest';
import { refuseCommonPassword } from './guessable-passwords.ts';

const tooCommon = { code: 'INVALID_INPUT', message: 'This password is too common. Choose another one.' };

const guessedFirst = `
  Password1 Password123 Passw0rd P@ssw0rd P@55w0rd P@$$w0rd1 Pass@123 PASSWORd1 1Password Aa123456 Aa@123456
  Abcd@1234 Abc12345 1Q2w3e4r 1qaz2WSX Qwerty123 Qwerty12345 QWERTy123! Welcome1 Welcome@123 Admin123 Admin@1234
  India@123 Summer2026! December2025 Iloveyou1 Dragon1987 Liverpool1 Football#1 !!Monkey12!! Trustno1 Changeme1
  Global123@ Test@123 Usuckballz1 Soso123aljg Shaney14 Wrinkle1 Babylon5 Rush2112 Ncc1701d Bulldog1 Corvette1
  Maverick1 Elizabeth1 Danielle1 Rockstar1 Success1 Natasha1
`;

test.each(guessedFirst.trim().split(/\s+/))('%s meets the rules of the form and is refused', (password) => {
  expect(newPassword.safeParse(password).success).toBe(true);
  expect(() => refuseCommonPassword(password, 'ada@example.com')).toThrow(expect.objectContaining(tooCommon));
});

test.each(['Ada.Lovelace1', 'adaLovelace1815', '12AdaLovelace!', 'ADAlovelace9'])(
  '%s is refused because it contains the name of its email',
  (password) => {
    expect(() => refuseCommonPassword(password, 'ada.lovelace@example.com')).toThrow(
      expect.objectContaining(tooCommon),
    );
    expect(() => refuseCommonPassword(password, 'grace@example.com')).not.toThrow();
  },
);

test.each([
  'Correct-Horse-7',
  'PasswordsAreHard2',
  'MyDragon4Sale',
  'Welcome123456789',
  'xK9#mQ2$vL',
  'Пароль-Horse-7',
  'Bobby2x9Qz',
])('%s is accepted', (password) => {
  expect(() => refuseCommonPassword(password, 'bob@example.com')).not.toThrow();
});

test('a password equal to the email is refused', () => {
  expect(() => refuseCommonPassword('Al42@Example.com', 'al42@example.com')).toThrow(
    expect.objectContaining(tooCommon),
  );
});

test('a password may contain the name of its email if that is very short', () => {
  expect(() => refuseCommonPassword('Bob73915208', 'bob@example.com')).not.toThrow();
});
