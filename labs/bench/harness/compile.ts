import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './children.ts';

/** The program or library that was compiled, or the reason why this machine cannot compile it. */
export type Compiled = { readonly path: string; readonly missing: null } | { readonly missing: string };

const packages: Readonly<Record<string, string>> = { 'openssl/evp.h': 'libssl-dev', 'stdio.h': 'libc6-dev' };

/** Compiles `labs/bench/peers/NAME.c` into `folder`. Throws if the code is wrong. */
export async function compile(name: string, folder: string, options: readonly string[]): Promise<Compiled> {
  const path = join(folder, name);
  try {
    await promisify(execFile)('cc', ['-O2', '-o', path, join(root, `labs/bench/peers/${name}.c`), ...options]);
    return { path, missing: null };
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT') return { missing: 'no C compiler: apt-get install gcc libc6-dev' };
    const [, header] = /fatal error: (\S+): No such file/.exec(stderr ?? '') ?? [];
    const missing = header === undefined ? undefined : packages[header];
    if (missing === undefined) throw error;
    return { missing: `no ${header}: apt-get install ${missing}` };
  }
}
