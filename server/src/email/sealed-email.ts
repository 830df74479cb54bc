import type { OutgoingEmailRow } from '../storage/db/schema.ts';
import type { Email } from '../services/mail/mail.ts';
import { deriveKey } from '../lib/derive-key.ts';
import { openSealed, seal } from '../lib/seal.ts';

type Content = Omit<Email, 'to'>;

export function sealEmail(serviceSecret: Buffer, id: string, email: Email): string {
  const { subject, text, html, secret } = email;
  return seal(sealingKey(serviceSecret), id, JSON.stringify({ subject, text, html, secret } satisfies Content));
}

/** Throws if the email was sealed with a different service secret. */
export function openSealedEmail(
  serviceSecret: Buffer,
  row: Pick<OutgoingEmailRow, 'id' | 'recipient' | 'sealed'>,
): Email {
  const content = JSON.parse(openSealed(sealingKey(serviceSecret), row.id, row.sealed)) as Content;
  return { to: row.recipient, ...content };
}

// This label must stay: queued emails are sealed with the key derived from it.
const sealingKey = (serviceSecret: Buffer) => deriveKey(serviceSecret, 'letter');
