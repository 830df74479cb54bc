import { emailKey } from './find-account.ts';

/**
 * The mailbox behind an email address, for limits on emails: spellings that reach the same person count together. A tag
 * after a plus sign is dropped everywhere, and Gmail also ignores dots. Accounts are never looked up by it.
 */
export function mailboxOf(email: string): string {
  const key = emailKey(email);
  const at = key.lastIndexOf('@');
  const [local = ''] = key.slice(0, at).split('+', 1);
  const host = key.slice(at + 1);
  return gmailHosts.has(host) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${host}`;
}

const gmailHosts: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com']);
