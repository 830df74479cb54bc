import { Failure } from '@holdfast/contract/src/errors.ts';
import { isMostUsed, oftenDecorated } from './most-used-passwords.ts';

/**
 * Refuses what is guessed first: the most used passwords, and the account's own address.
 * @throws {Failure} INVALID_INPUT.
 */
export function refuseCommonPassword(password: string, email: string): void {
  if (isCommon(password) || isMadeFrom(password, email))
    throw new Failure('INVALID_INPUT', 'This password is too common. Choose another one.');
}

/** Enough for a date. What is longer is somebody's own. */
const decoration = /^[^a-z]{1,8}(?=[a-z])|(?<=[a-z])[^a-z]{1,8}$/g;

/** Password1, P@ssw0rd! and 2026-Password are all 'password' to whoever guesses. */
function isCommon(password: string): boolean {
  const text = password.toLowerCase();
  const bare = text.replaceAll(/[^a-z0-9]/g, '');
  return (
    isMostUsed(text) ||
    isMostUsed(bare) ||
    [text, asLetters(text), asLetters(text.replaceAll(decoration, ''))].some((form) =>
      oftenDecorated.has(form.replaceAll(decoration, '')),
    )
  );
}

const letters: Readonly<Record<string, string>> = { '@': 'a', 4: 'a', 3: 'e', 1: 'i', 0: 'o', $: 's', 5: 's', 7: 't' };

const asLetters = (text: string) => text.replaceAll(/[@$0-9]/g, (sign) => letters[sign] ?? sign);

/** Shorter names occur in too many good passwords. */
const shortestName = 4;

function isMadeFrom(password: string, email: string): boolean {
  const text = plain(password);
  const name = plain(email.slice(0, email.lastIndexOf('@')));
  if (name.length < shortestName) return false;
  return text === plain(email) || text.replaceAll(/^\d+|\d+$/g, '') === name.replaceAll(/^\d+|\d+$/g, '');
}

const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
