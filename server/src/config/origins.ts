/** Emails and links are built from these, never from a Host header. */
export interface Origins {
  readonly app: string;
  /** The default link domain, then the mirrors. */
  readonly files: readonly [string, ...string[]];
  readonly hosts: ReadonlyMap<string, HostRole>;
  readonly otherHosts: HostRole;
}

export type HostRole = 'app' | 'files' | 'both';

/** `port` is the one that the server listens on, even with PORT=0. */
interface OriginSettings {
  readonly publicUrl: string | null;
  readonly fileOrigins: readonly string[];
}

export function originsOf(config: OriginSettings, port: number): Origins {
  const app = config.publicUrl ?? `http://localhost:${port}`;
  const [first = app, ...mirrors] = config.fileOrigins;
  const files = [first, ...mirrors] as const;
  const appServes = files.some((origin) => new URL(origin).host === new URL(app).host) ? 'both' : 'app';
  const roles = [...files.map((origin) => [origin, 'files'] as const), [app, appServes] as const];
  const hosts = new Map(roles.flatMap(([origin, role]) => namesOf(origin).map((name) => [name, role] as const)));
  return { app, files, hosts, otherHosts: appServes };
}

/** A client may send the default port. */
function namesOf(origin: string): string[] {
  const { host, hostname, port, protocol } = new URL(origin);
  return port === '' ? [host, `${hostname}:${protocol === 'https:' ? 443 : 80}`] : [host];
}
