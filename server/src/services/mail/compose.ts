import { type Email, EmailRefused } from './mail.ts';

/** Name and address of the sender. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

/**
 * Converts an email to the form that the mail library takes.
 * @throws {EmailRefused} when its recipient is not one plain address: a list, a name or a line break could add another
 * recipient.
 */
export function compose(from: Sender, email: Email, id: string) {
  const { to, subject, text, html } = email;
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
