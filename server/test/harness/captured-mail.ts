import { type Email, EmailRefused, type Mail } from '../../src/services/mail/mail.ts';
import type { EmailWorker } from '../../src/email/worker.ts';

/** The emails that people received. Reading them sends waiting emails first: no API call waits for its email. */
export interface Mailboxes {
  readonly server: CapturedMail;
  emails(): Promise<readonly Email[]>;
  /** Returns the code or link in the newest email to the address that contains one. */
  newestSecretFor(address: string): Promise<string>;
}

export interface CapturedMail extends Mail {
  readonly sent: readonly Email[];
  /**
   * Its response to an email: that of a working server, of a closed port, or of a server that does not know the
   * recipient.
   */
  says: 'yes' | 'nothing' | 'no';
}

/** The mail server, kept in memory so that a test can read the emails it received. */
export function createCapturedMail(): CapturedMail {
  const sent: Email[] = [];
  const mail: CapturedMail = {
    sent,
    says: 'yes',
    reachesPeople: true,
    async send(email) {
      if (mail.says === 'nothing') throw new Error('connect ECONNREFUSED');
      if (mail.says === 'no') throw new EmailRefused('550 5.1.1 No such user here');
      sent.push(email);
    },
    async [Symbol.asyncDispose]() {},
  };
  return mail;
}

export function openMailboxes(mail: CapturedMail, emailWorker: EmailWorker): Mailboxes {
  const emails = async () => {
    await emailWorker.flush();
    return mail.sent;
  };
  return {
    server: mail,
    emails,
    async newestSecretFor(address) {
      const secrets = (await emails()).filter(({ to }) => to.toLowerCase() === address.toLowerCase());
      const newest = secrets.findLast(({ secret }) => secret !== null)?.secret;
      if (newest === undefined || newest === null) throw new Error(`no code or link was sent to ${address}`);
      return newest;
    },
  };
}
