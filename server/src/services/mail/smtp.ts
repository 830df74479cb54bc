import type { Config } from '../../config/config.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { tlsProblem } from '../../lib/tls-problem.ts';
import { compose, EmailRefused, longestSend, type Mail, type Sender } from './mail.ts';

export interface SmtpOptions extends Omit<Extract<Config['mail'], { engine: 'smtp' }>, 'engine'> {
  readonly from: Sender;
}

/** Most commands send no email, and loading the library takes a tenth of a second. */
export function openSmtp(options: SmtpOptions): Mail {
  let opened: ReturnType<typeof openTransport> | undefined;
  const open = () => (opened ??= openTransport(options));
  return {
    reachesPeople: true,
    async send(email, id) {
      const message = compose(options.from, email, id);
      const transport = await open();
      try {
        await transport.sendMail({ ...message, signal: AbortSignal.timeout(longestSend) });
      } catch (error) {
        throw isForGood(error) ? new EmailRefused(error.message, { cause: error }) : explained(error);
      }
    },
    async check() {
      const transport = await open();
      await transport.verify().catch((error: unknown) => {
        throw explained(error);
      });
    },
    async [Symbol.asyncDispose]() {
      (await opened)?.close();
    },
  };
}

async function openTransport({ host, port, secure, credentials, ca }: SmtpOptions) {
  const { createTransport } = await import('nodemailer');
  const onThisMachine = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(host);
  return createTransport({
    host,
    port,
    secure,
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    // An attacker in between could hide the offer of STARTTLS and read the password.
    requireTLS: credentials !== null && !secure && !onThisMachine,
    // Who could forge the certificate could hide the offer as well.
    opportunisticTLS: credentials === null,
    tls: { rejectUnauthorized: !onThisMachine && (secure || credentials !== null || ca !== null), ...(ca && { ca }) },
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

const ofConnections: ReadonlySet<unknown> = new Set(['ECONNECTION', 'EDNS', 'ESOCKET', 'ETIMEDOUT', 'ETLS']);

/** Only what the server has replied may quote a code or a link. */
function explained(error: unknown): unknown {
  const { code, response, timeoutType, message } = error as Error & Partial<Record<string, string>>;
  if (!ofConnections.has(code)) return error;
  if (response !== undefined) return message.includes('STARTTLS') ? new OperatorError(noTls, { cause: error }) : error;
  const problem = tlsProblem(error);
  const hint = timeoutType === 'GREETING_TIMEOUT' ? '. If its port begins with TLS, use smtps://' : '';
  const advice = '. MAIL_CA_FILE names a file with its certificate, or with that of its CA; smtp:// begins without TLS';
  return new OperatorError(problem === undefined ? message + hint : problem + advice, { cause: error });
}

/** STARTTLS is needed for a password alone. */
const noTls =
  'the mail server offers no TLS, or refuses it, and MAIL_URL has a password: use smtps:// if it has a port for that, or ' +
  'leave out the password';
