export const strengths = ['Weak', 'Fair', 'Good', 'Strong'] as const;
export type Strength = (typeof strengths)[number];

/** A rough estimate for a form. `known` are words that a guesser tries first, such as the email. */
export function strengthOf(password: string, known: readonly string[]): Strength {
  // The pattern of repetitions takes too long for a text that nobody types.
  const bits = distilled(password.slice(0, 100), known)
    .split('')
    .reduce((sum, sign) => sum + bitsOf(sign), 0);
  return strengths.findLast((_, index) => bits >= (leastBits[index] ?? 0)) ?? 'Weak';
}

const leastBits = [0, 24, 40, 56];

/** What is left to guess: one character instead of a common word, a year, a sequence or a repetition. */
function distilled(password: string, known: readonly string[]): string {
  const parts = known.flatMap((text) => text.toLowerCase().split(/[^\p{L}]+/u)).filter((part) => part.length > 3);
  const text = [...parts, ...common].reduce(
    (rest, word) => rest.replaceAll(word, '_'),
    password
      .replaceAll(/[@$013457]/g, (sign, at: number) =>
        /\p{L}/u.test(password[at + 1] ?? '') ? (letters[sign] ?? sign) : sign,
      )
      .toLowerCase(),
  );
  const short = text.replaceAll(/(?:19|20)\d\d/g, '_').replaceAll(/(.+?)\1+/gs, '$1');
  return short
    .split('')
    .filter((sign, at) => at === 0 || !follows(sign, short[at - 1]))
    .join('');
}

const follows = (sign: string, before = '') => Math.abs(sign.charCodeAt(0) - before.charCodeAt(0)) === 1;

/** Letters are mostly those of words. */
function bitsOf(sign: string): number {
  if (/\p{L}/u.test(sign)) return 3.5;
  return /\d/.test(sign) ? 3.3 : 5;
}

const letters: Readonly<Record<string, string>> = { '@': 'a', 4: 'a', 3: 'e', 1: 'i', 0: 'o', $: 's', 5: 's', 7: 't' };

const common =
  'password passwort welcome qwerty qwertz azerty asdf letmein admin login iloveyou dragon monkey football baseball sunshine princess spring summer autumn winter hello master secret changeme'.split(
    ' ',
  );
