const gmailHosts: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com']);

export function mailboxOf(email: string): string {
  const address = email.toLowerCase();
  const at = address.lastIndexOf('@');
  const [local = ''] = address.slice(0, at).split('+', 1);
  const host = address.slice(at + 1);
  return gmailHosts.has(host) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${host}`;
}
