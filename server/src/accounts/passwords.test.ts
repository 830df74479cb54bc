import { newPassword } from '@holdfast/contract/src/rules.ts';
import { expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { refuseCommonPassword } from './passwords.ts';

const tooCommon = { code: 'INVALID_INPUT', message: 'This password is too common. Choose another one.' };

const refuse = (password: string, email: string, SITE_NAME = 'Kelp & Co') =>
  refuseCommonPassword({ config: readConfig({ SITE_NAME }) }, password, email);

const guessedFirst = `
  Password1 Password123 Passw0rd P@ssw0rd P@55w0rd P@$$w0rd1 Pass@123 PASSWORd1 1Password Aa123456 Aa@123456
  Abcd@1234 Abc12345 1Q2w3e4r 1qaz2WSX Qwerty123 Qwerty12345 QWERTy123! Welcome1 Welcome@123 Admin123 Admin@1234
  India@123 Summer2026! December2025 Iloveyou1 Dragon1987 Liverpool1 Football#1 !!Monkey12!! Trustno1 Changeme1
  Global123@ Test@123 Usuckballz1 Soso123aljg Shaney14 Wrinkle1 Babylon5 Rush2112 Ncc1701d Bulldog1 Corvette1
  Maverick1 Elizabeth1 Danielle1 Rockstar1 Success1 Natasha1
`;

test.each(guessedFirst.trim().split(/\s+/))('%s meets the rules of the form and is refused', (password) => {
  expect(newPassword.safeParse(password).success).toBe(true);
  expect(() => refuse(password, 'ada@example.com')).toThrow(expect.objectContaining(tooCommon));
});

test.each(['Ada.Lovelace1', 'adaLovelace1815', '12AdaLovelace!', 'ADAlovelace9'])(
  '%s is refused because it is the name of its email',
  (password) => {
    expect(() => refuse(password, 'ada.lovelace@example.com')).toThrow(expect.objectContaining(tooCommon));
    expect(() => refuse(password, 'grace@example.com')).not.toThrow();
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
  expect(() => refuse(password, 'bob@example.com')).not.toThrow();
});

test('a password equal to the email is refused', () => {
  expect(() => refuse('Al42@Example.com', 'al42@example.com')).toThrow(expect.objectContaining(tooCommon));
});

test('a password may contain the name of its email if that is very short', () => {
  expect(() => refuse('Bob73915208', 'bob@example.com')).not.toThrow();
});

test.each([
  'Holdfast1',
  'HOLDFASt2026',
  '1holdFast',
  'H0ldf4st!',
  'KelpCo2026',
  '12Kelp-&-Co',
  'kELPCO!!1',
  'Ｋelpco77',
])('%s is refused on a site named Kelp & Co', (password) => {
  expect(() => refuse(password, 'ada@example.com')).toThrow(expect.objectContaining(tooCommon));
});

test.each(['Holdfast-Anchor-1', 'KelpForest1', 'Kelpcobra9'])(
  '%s contains a name and more, and is accepted',
  (password) => {
    expect(() => refuse(password, 'ada@example.com')).not.toThrow();
  },
);

test('the name of a site may be in a password if it is very short', () => {
  expect(() => refuse('Box73915208', 'ada@example.com', 'Box')).not.toThrow();
});
