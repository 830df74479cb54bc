import { compose, type Sender } from './compose.ts';
import { EmailRefused, longestSend, type Mail } from './mail.ts';

export interface SmtpOptions {
  readonly host: string;
  readonly port: number;
  /** Uses TLS from the first byte; otherwise STARTTLS is used if the server offers it. */
  readonly secure: boolean;
  readonly credentials: { readonly user: string; readonly password: string } | null;
  readonly from: Sender;
}

/**
 * Hands each email to a mail server over a separate connection. Before the first email no connection is made, and the
 * mail library is not loaded: that takes a tenth of a second, and most commands send none.
 */
export function openSmtp(options: SmtpOptions): Mail {
  let opened: ReturnType<typeof openTransport> | undefined;
  return {
    reachesPeople: true,
    async send(email, id) {
      const message = compose(options.from, email, id);
      const transport = await (opened ??= openTransport(options));
      try {
        await transport.sendMail({ ...message, signal: AbortSignal.timeout(longestSend) });
      } catch (error) {
        throw isForGood(error) ? new EmailRefused(error.message, error) : error;
      }
    },
    async [Symbol.asyncDispose]() {
      (await opened)?.close();
    },
  };
}

async function openTransport({ host, port, secure, credentials }: SmtpOptions) {
  const { createTransport } = await import('nodemailer');
  const onThisMachine = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(host);
  return createTransport({
    host,
    port,
    secure,
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    // An attacker in between could hide the offer of STARTTLS and read the password.
    requireTLS: credentials !== null && !secure && !onThisMachine,
    // A mail server on the same machine seldom has a certificate for its name, and no attacker can sit in between.
    tls: { rejectUnauthorized: !onThisMachine },
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  });
}

/**
 * RFC 5321, 4.2.1: a 5yz reply is final. It concerns the email only if it replies to the recipient or the message. A
 * refused password or sender is the operator's to fix, and the email is sent after that.
 */
function isForGood(error: unknown): error is Error {
  const { responseCode, command } = error as { responseCode?: number; command?: string };
  const final = responseCode !== undefined && responseCode >= 500 && responseCode !== 503;
  return final && (command === 'RCPT TO' || command === 'DATA');
}
