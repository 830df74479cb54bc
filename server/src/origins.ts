/** The addresses that the service is known by; mails and links are made from them, never from a Host header. */
import type { Config } from './config.ts';

export interface Origins {
  /** Origin of the web app and the API. */
  readonly app: string;
  /** Origins that serve `/file/…`; the first is the default link domain, the rest are mirrors. */
  readonly files: readonly [string, ...string[]];
  /** The hosts of all of them, as a Host header names them. */
  readonly hosts: ReadonlySet<string>;
}

/** `port` is the one that the server really listens on: with PORT=0 the configuration does not know it. */
export function originsOf(config: Pick<Config, 'publicUrl' | 'fileOrigins'>, port: number): Origins {
  const app = config.publicUrl ?? `http://localhost:${port}`;
  const [first = app, ...mirrors] = config.fileOrigins;
  const hosts = new Set([app, first, ...mirrors].map((origin) => new URL(origin).host));
  return { app, files: [first, ...mirrors], hosts };
}
