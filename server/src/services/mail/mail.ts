export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The code or link that the email contains. It is shown on a terminal and never written to a log. */
  readonly secret: string | null;
}

export interface Mail extends AsyncDisposable {
  /** True if emails are delivered to people; false if they wait for the operator to read them. */
  readonly reachesPeople: boolean;
  /**
   * When it resolves, the email has been handed over. `id` becomes its Message-ID: after a crash before the hand-over is
   * recorded it is sent once more, and the equal id shows the duplicate.
   * @throws {EmailRefused} when no retry can succeed; any other error may be temporary.
   */
  send(email: Email, id: string): Promise<void>;
}

/** The longest that `send` takes, in milliseconds. */
export const longestSend = 60_000;

export class EmailRefused extends Error {
  override readonly name = 'EmailRefused';
}

export interface Sender {
  readonly name: string;
  readonly address: string;
}

/** Converts an email to the form that the mail library takes. */
export function compose(from: Sender, { to, subject, text, html }: Email, id: string) {
  // A list, a name or a line break could add another recipient.
  if (!/^[^\s\p{Cc}@<>()[\]\\",;:]+@[^\s\p{Cc}@<>()[\]\\",;:]+$/u.test(to))
    throw new EmailRefused('the recipient is not one plain address');
  return {
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
