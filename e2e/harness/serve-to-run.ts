import type { HostileFile } from '../fixtures/hostile-files.ts';
import type { OtherSite } from './other-site.ts';

type Runnable = Pick<HostileFile, 'name' | 'bytes'> & { readonly runs: NonNullable<HostileFile['runs']> };

/** Serves a hostile file with its real type. Returns the address of a page that runs it if `policy` allows it. */
export function serveToRun(site: OtherSite, { name, bytes, runs }: Runnable, policy?: string): string {
  const address = site.put(`/${name}`, `${runs.contentType}; charset=utf-8`, bytes, policy);
  if (runs.as === 'frame') return address;
  const page = `<!doctype html><script src="${address}"></script>`;
  return site.put(`/${name}/page`, 'text/html; charset=utf-8', page, policy);
}
