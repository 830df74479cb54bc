const gmailHosts: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com']);

/** Returns one spelling for all that reach the same person: without a tag after a plus sign, and Gmail ignores dots. */
export function mailboxOf(email: string): string {
  const address = email.toLowerCase();
  const at = address.lastIndexOf('@');
  const [local = ''] = address.slice(0, at).split('+', 1);
  const host = address.slice(at + 1);
  return gmailHosts.has(host) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${host}`;
}
