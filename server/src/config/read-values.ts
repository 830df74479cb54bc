/** Readers of values that several settings share. Each throws a ConfigError that names the variable. */
import { resolve } from 'node:path';
import { ConfigError } from './setting-errors.ts';

export function readPort(variable: string, found: string): number {
  const port = Number(found);
  if (!/^\d{1,5}$/.test(found) || port > 65_535) throw new ConfigError(variable, found, 'a number from 0 to 65535');
  return port;
}

export function readList(found: string | null): string[] {
  const entries = (found ?? '').split(',').map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '');
}

export function readOrigin(variable: string, found: string): string {
  const accepted = 'an origin such as https://files.example.com, without a path';
  const url = URL.canParse(found) ? new URL(found) : null;
  const bare =
    url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username;
  if (!url || !bare) throw new ConfigError(variable, found, accepted);
  return url.origin;
}

export function readLink(variable: string, found: string | null): string | null {
  if (found === null) return null;
  const safe = URL.canParse(found) && /^https?:$/.test(new URL(found).protocol);
  if (!safe) throw new ConfigError(variable, found, 'an http or https address');
  return found;
}

export function readEmail(variable: string, found: string | null): string | null {
  if (found !== null && !/^[^\s@<>",;]+@[^\s@<>",;]+$/.test(found))
    throw new ConfigError(variable, found, 'one plain email address');
  return found;
}

export function readFolder(variable: string, scheme: string, found: string, accepted: string): string {
  if (!found.startsWith(scheme) || found.length === scheme.length) throw new ConfigError(variable, found, accepted);
  return resolve(found.slice(scheme.length));
}
