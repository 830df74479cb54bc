import { type Letter, LetterRefused } from './mail.ts';

/** The sender's name and address. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

/**
 * A letter as the mail library takes it.
 * @throws {LetterRefused} when its recipient is not one plain address: a list, a name or a line break could bring in
 * somebody else.
 */
export function compose(from: Sender, letter: Letter, id: string) {
  const { to, subject, text, html } = letter;
  if (!/^[^\s\p{Cc}@<>()[\]\\",;:]+@[^\s\p{Cc}@<>()[\]\\",;:]+$/u.test(to))
    throw new LetterRefused('the recipient is not one plain address');
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
