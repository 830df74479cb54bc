export const sessionCookie = 'session';

export interface CookieJar {
  read(name: string): string | undefined;
  set(name: string, value: string, maxAgeMs: number): void;
  clear(name: string): void;
}

export function openCookieJar(header: string | undefined, origin: string, send: (cookie: string) => void): CookieJar {
  const received = parseCookies(header ?? '');
  const { protocol, port } = new URL(origin);
  const secure = protocol === 'https:';
  // `__Host-` binds a cookie to this exact host. Browsers share cookies between ports, so the name contains the port.
  const fullName = (name: string) => `${secure ? '__Host-' : ''}holdfast-${name}${port === '' ? '' : `-${port}`}`;
  const write = (name: string, value: string, maxAgeSeconds: number) =>
    send(
      `${fullName(name)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`,
    );
  return {
    read: (name) => received.get(fullName(name)),
    set: (name, value, maxAgeMs) => write(name, value, Math.floor(maxAgeMs / 1000)),
    clear: (name) => write(name, '', 0),
  };
}

function parseCookies(header: string): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    if (at > 0 && !cookies.has(name)) cookies.set(name, pair.slice(at + 1).trim());
  }
  return cookies;
}
