/** Passwords that are guessed first on one site: its name. */

export const tooCommon = 'This password is too common. Choose another one.';

const program = 'holdfast';

/** Shorter names occur in too many good passwords. */
const shortestName = 4;

export function isMadeFromSite(password: string, siteName: string): boolean {
  const text = bare(password);
  return [bare(siteName), program].some((name) => name.length >= shortestName && text === name);
}

/** Letters and digits in lower case, without digits at the ends. Of a name such as 2600 the digits are kept. */
function bare(text: string): string {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
  return plain.replaceAll(/^\p{N}+(?=\p{L})|(?<=\p{L})\p{N}+$/gu, '');
}
