import type { OutgoingEmailRow } from '../storage/db/schema.ts';
import type { Email } from '../services/mail/mail.ts';
import { deriveKey } from '../lib/derive-key.ts';
import { openSealed, seal } from '../lib/seal.ts';

type Content = Omit<Email, 'to'>;

export function sealEmail(serviceSecret: Buffer, id: string, email: Email): string {
  const { subject, text, html, secret } = email;
  return seal(sealingKey(serviceSecret), id, JSON.stringify({ subject, text, html, secret } satisfies Content));
}

export function openSealedEmail(
  serviceSecret: Buffer,
  row: Pick<OutgoingEmailRow, 'id' | 'recipient' | 'sealed'>,
): Email {
  const content = JSON.parse(openSealed(sealingKey(serviceSecret), row.id, row.sealed)) as Content;
  return { to: row.recipient, ...content };
}

// Queued emails are sealed with the key of this label.
const sealingKey = (serviceSecret: Buffer) => deriveKey(serviceSecret, 'letter');
