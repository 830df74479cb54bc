import type { LetterRow } from '../engines/database/schema.ts';
import type { Letter } from '../engines/mail/mail.ts';
import { deriveKey } from '../lib/derive-key.ts';
import { openSealed, seal } from '../lib/seal.ts';

type Content = Omit<Letter, 'to'>;

export function sealLetter(serviceSecret: Buffer, id: string, letter: Letter): string {
  const { subject, text, html, secret } = letter;
  return seal(sealingKey(serviceSecret), id, JSON.stringify({ subject, text, html, secret } satisfies Content));
}

/** Throws when the secret key of the service is not the one that the letter was sealed with. */
export function openLetter(serviceSecret: Buffer, row: Pick<LetterRow, 'id' | 'recipient' | 'sealed'>): Letter {
  const content = JSON.parse(openSealed(sealingKey(serviceSecret), row.id, row.sealed)) as Content;
  return { to: row.recipient, ...content };
}

const sealingKey = (serviceSecret: Buffer) => deriveKey(serviceSecret, 'letter');
