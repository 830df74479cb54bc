import { createTransport } from 'nodemailer';
import { compose, type Sender } from './compose.ts';
import { LetterRefused, longestSend, type Mail } from './mail.ts';

export interface SmtpOptions {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; without it STARTTLS is used where the server offers it. */
  readonly secure: boolean;
  readonly credentials: { readonly user: string; readonly password: string } | null;
  readonly from: Sender;
}

/** Hands each letter to a mail server, over a connection of its own. The server is not asked before there is one. */
export function openSmtp({ host, port, secure, credentials, from }: SmtpOptions): Mail {
  const onThisMachine = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(host);
  const transport = createTransport({
    host,
    port,
    secure,
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    // Whoever sits in between could hide the offer of STARTTLS and read the password.
    requireTLS: credentials !== null && !secure && !onThisMachine,
    // A mail server on the same machine seldom has a certificate for its name, and nobody sits in between.
    tls: { rejectUnauthorized: !onThisMachine },
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  });
  return {
    reachesPeople: true,
    async send(letter, id) {
      const message = compose(from, letter, id);
      try {
        await transport.sendMail({ ...message, signal: AbortSignal.timeout(longestSend) });
      } catch (error) {
        throw isForGood(error) ? new LetterRefused(error.message, error) : error;
      }
    },
    async [Symbol.asyncDispose]() {
      transport.close();
    },
  };
}

/**
 * RFC 5321, 4.2.1: a 5yz answer is final. It is about the letter only when it answers the recipient or the message:
 * a refused password or sender is the operator's to mend, and then the letter goes.
 */
function isForGood(error: unknown): error is Error {
  const { responseCode, command } = error as { responseCode?: number; command?: string };
  const final = responseCode !== undefined && responseCode >= 500 && responseCode !== 503;
  return final && (command === 'RCPT TO' || command === 'DATA');
}
