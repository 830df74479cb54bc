import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, dirname } from 'node:path';

/** A program's route to a file: its link, and the settings needed to reach and trust its host. */
export interface Route {
  readonly url: string;
  /** A proxy for https, where the link's own name does not resolve. */
  readonly proxy?: string;
  /** Path of the certificate to trust. */
  readonly authority?: string;
}

type Arguments = (url: string, target: string, authority: string | undefined) => string[];

const words = (text: string): string[] => text.split(' ');
const trust = (option: string, authority: string | undefined): string[] =>
  authority === undefined ? [] : [option, authority];

/** The commands that people use to resume a download. Each fails at the first error, so that a test sees it. */
const tools = {
  curl: (url, target, authority) => [
    ...words('--silent --show-error --fail -C -'),
    '-o',
    target,
    url,
    ...trust('--cacert', authority),
  ],
  wget: (url, target, authority) => [
    ...words('--no-verbose --no-hsts --tries=1 -c'),
    '-O',
    target,
    url,
    ...trust('--ca-certificate', authority),
  ],
  // Without -k it would not split files smaller than 40 MB.
  aria2c: (url, target, authority) => [
    ...words('--quiet --max-tries=1 --file-allocation=none -c -x8 -s8 -k1M'),
    url,
    '-d',
    dirname(target),
    '-o',
    basename(target),
    ...trust('--ca-certificate', authority),
  ],
} satisfies Record<string, Arguments>;

export type Tool = keyof typeof tools;

/** Runs a tool to its end, without any of this machine's settings, and returns its exit code. */
export async function runTool(tool: Tool, route: Route, target: string, extra: readonly string[] = []) {
  const home = dirname(target);
  const proxy = route.proxy === undefined ? {} : { https_proxy: route.proxy };
  const child = spawn(tool, [...tools[tool](route.url, target, route.authority), ...extra], {
    env: { PATH: process.env['PATH'], HOME: home, ...proxy },
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}
