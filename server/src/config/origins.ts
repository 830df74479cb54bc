/** The addresses of the service. Emails and links are built from them, never from a Host header. */
import type { Config } from './config.ts';

export interface Origins {
  /** Origin of the web app and the API. */
  readonly app: string;
  /** Origins that serve `/file/…`; the first is the default link domain, the rest are mirrors. */
  readonly files: readonly [string, ...string[]];
  /** The role of each of our hosts, by its name in a Host header. */
  readonly hosts: ReadonlyMap<string, HostRole>;
  /** The role of any other host while `PUBLIC_URL` is not set. */
  readonly otherHosts: HostRole;
}

/** Files have their own origins, isolated from the app. If there is only one origin, it serves both. */
export type HostRole = 'app' | 'files' | 'both';

/** `port` is the port that the server really listens on: with PORT=0 the configuration does not contain it. */
export function originsOf(config: Pick<Config, 'publicUrl' | 'fileOrigins'>, port: number): Origins {
  const app = config.publicUrl ?? `http://localhost:${port}`;
  const [first = app, ...mirrors] = config.fileOrigins;
  const files = [first, ...mirrors] as const;
  const appServes = files.some((origin) => hostOf(origin) === hostOf(app)) ? 'both' : 'app';
  const roles = [...files.map((origin) => [origin, 'files'] as const), [app, appServes] as const];
  const hosts = new Map(roles.flatMap(([origin, role]) => namesOf(origin).map((name) => [name, role] as const)));
  return { app, files, hosts, otherHosts: appServes };
}

/** A client may send the port even if it is the default one. */
function namesOf(origin: string): string[] {
  const { host, hostname, port, protocol } = new URL(origin);
  return port === '' ? [host, `${hostname}:${protocol === 'https:' ? 443 : 80}`] : [host];
}

const hostOf = (origin: string): string => new URL(origin).host;
