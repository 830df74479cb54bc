import { Failure } from '@holdfast/contract/src/errors.ts';
import { isMadeFromSite, tooCommon } from '@holdfast/contract/src/guessable.ts';
import type { Context } from '../context.ts';
import { isMostUsed, oftenDecorated } from './most-used-passwords.ts';

/**
 * Rejects the passwords that are guessed first: the most used ones, the account's own email address, and the name of
 * this site.
 * @throws {Failure} INVALID_INPUT.
 */
export function refuseCommonPassword({ config }: Pick<Context, 'config'>, password: string, email: string): void {
  if (isCommon(password) || isMadeFrom(password, email) || isMadeFromName(password, config.site.name))
    throw new Failure('INVALID_INPUT', tooCommon);
}

/** Up to 8 digits and symbols around a word, enough for a date. A longer run is a choice of the user's own. */
const decoration = /^[^a-z]{1,8}(?=[a-z])|(?<=[a-z])[^a-z]{1,8}$/g;

/**
 * Returns whether a password is a common one in disguise: Password1, P@ssw0rd! and 2026-Password all count as
 * 'password'.
 */
function isCommon(password: string): boolean {
  const text = password.toLowerCase();
  const bare = text.replaceAll(/[^a-z0-9]/g, '');
  return (
    isMostUsed(text) ||
    isMostUsed(bare) ||
    [text, withoutSubstitutions(text), withoutSubstitutions(text.replaceAll(decoration, ''))].some((form) =>
      oftenDecorated.has(form.replaceAll(decoration, '')),
    )
  );
}

const letters: Readonly<Record<string, string>> = { '@': 'a', 4: 'a', 3: 'e', 1: 'i', 0: 'o', $: 's', 5: 's', 7: 't' };

const withoutSubstitutions = (text: string) => text.replaceAll(/[@$0-9]/g, (sign) => letters[sign] ?? sign);

/** Also without the usual substitutions, such as H0ldf4st! for Holdfast. */
const isMadeFromName = (password: string, site: string) =>
  isMadeFromSite(password, site) ||
  isMadeFromSite(withoutSubstitutions(password.toLowerCase().replaceAll(decoration, '')), site);

/** Shorter names occur in too many good passwords. */
const shortestName = 4;

function isMadeFrom(password: string, email: string): boolean {
  const text = plain(password);
  const name = plain(email.slice(0, email.lastIndexOf('@')));
  if (name.length < shortestName) return false;
  return text === plain(email) || text.replaceAll(/^\d+|\d+$/g, '') === name.replaceAll(/^\d+|\d+$/g, '');
}

const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
