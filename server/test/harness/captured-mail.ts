import { type Letter, LetterRefused, type Mail } from '../../src/engines/mail/mail.ts';
import type { Post } from '../../src/post/send-letters.ts';

/** What people found in their letter boxes. Asking sends what waits first: no call of the API waits for its letter. */
export interface LetterBoxes {
  /** The mail server in between. */
  readonly server: CapturedMail;
  letters(): Promise<readonly Letter[]>;
  /** The code or link of the newest letter to an address that has one. */
  newestSecretFor(address: string): Promise<string>;
}

export interface CapturedMail extends Mail {
  readonly sent: readonly Letter[];
  /** What it says to a letter: as a server that works, one whose port is closed, or one that knows no such person. */
  says: 'yes' | 'nothing' | 'no';
}

/** The mail server, kept in memory so that a test can read what it was given. */
export function createCapturedMail(): CapturedMail {
  const sent: Letter[] = [];
  const mail: CapturedMail = {
    sent,
    says: 'yes',
    reachesPeople: true,
    async send(letter) {
      if (mail.says === 'nothing') throw new Error('connect ECONNREFUSED');
      if (mail.says === 'no') throw new LetterRefused('550 5.1.1 No such user here');
      sent.push(letter);
    },
    async [Symbol.asyncDispose]() {},
  };
  return mail;
}

export function openLetterBoxes(mail: CapturedMail, post: Post): LetterBoxes {
  const letters = async () => {
    await post.flush();
    return mail.sent;
  };
  return {
    server: mail,
    letters,
    async newestSecretFor(address) {
      const secrets = (await letters()).filter(({ to }) => to.toLowerCase() === address.toLowerCase());
      const newest = secrets.findLast(({ secret }) => secret !== null)?.secret;
      if (newest === undefined || newest === null) throw new Error(`no code or link was sent to ${address}`);
      return newest;
    },
  };
}
