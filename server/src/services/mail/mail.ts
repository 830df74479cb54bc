import { mark, markId } from './mark.ts';

export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The code or link, which a terminal may show and no log. */
  readonly secret: string | null;
}

export interface Mail extends AsyncDisposable {
  /** False if emails wait for the operator to read them. */
  readonly reachesPeople: boolean;
  /** `id` becomes the Message-ID, which shows a duplicate after a crash. Throws EmailRefused if no retry can succeed. */
  send(email: Email, id: string): Promise<void>;
  /** Signs in to the mail server and sends nothing. */
  check?(): Promise<void>;
}

export const longestSend = 60_000;

export class EmailRefused extends Error {
  override readonly name = 'EmailRefused';
}

export interface Sender {
  readonly name: string;
  readonly address: string;
}

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
    attachments: html.includes(`cid:${markId}`) ? [mark] : [],
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
