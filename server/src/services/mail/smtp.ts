import type { Config } from '../../config/config.ts';
import { compose, EmailRefused, longestSend, type Mail, type Sender } from './mail.ts';

export interface SmtpOptions extends Omit<Extract<Config['mail'], { engine: 'smtp' }>, 'engine'> {
  readonly from: Sender;
}

/** Most commands send no email, and loading the library takes a tenth of a second. */
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
        throw isForGood(error) ? new EmailRefused(error.message, { cause: error }) : error;
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
    tls: { rejectUnauthorized: !onThisMachine },
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  });
}

/** RFC 5321, 4.2.1: a 5yz reply is final. One to the password or the sender is the operator's to fix. */
function isForGood(error: unknown): error is Error {
  const { responseCode, command } = error as { responseCode?: number; command?: string };
  const final = responseCode !== undefined && responseCode >= 500 && responseCode !== 503;
  return final && (command === 'RCPT TO' || command === 'DATA');
}
