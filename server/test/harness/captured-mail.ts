import type { Letter, Mail } from '../../src/engines/mail/mail.ts';

export interface CapturedMail extends Mail {
  readonly letters: readonly Letter[];
  /** The code or link of the newest letter to an address. */
  newestSecretFor(address: string): string;
}

/** The post, kept in memory so that a test can read it. */
export function createCapturedMail(): CapturedMail {
  const letters: Letter[] = [];
  return {
    letters,
    async send(letter) {
      letters.push(letter);
    },
    newestSecretFor(address) {
      const letter = letters.findLast(({ to }) => to.toLowerCase() === address.toLowerCase());
      if (!letter) throw new Error(`no letter was sent to ${address}`);
      return letter.secret;
    },
    async [Symbol.asyncDispose]() {},
  };
}
