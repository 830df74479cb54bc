/** Unpacks the browser from an npm package, once, into the checkout's cache. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { exclusively } from '../scripts/lock.mjs';
import { browserFolder, browserPath, librariesPath } from './browser-files.ts';

export default async function unpackBrowser(): Promise<void> {
  await exclusively(async () => {
    if (existsSync(join(browserFolder, 'complete'))) return;
    await mkdir(browserFolder, { recursive: true });
    // The package unpacks into the folder for temporary files, as set at the time of the call.
    process.env['TMPDIR'] = browserFolder;
    const { default: chromium, inflate } = await import('@sparticuz/chromium');
    chromium.setGraphicsMode = false;
    await chromium.executablePath();
    if (lacksLibraries()) await inflate(join(packedFiles(), 'al2023.tar.br'));
    delete process.env['TMPDIR'];
    await mkdir(join(browserFolder, 'complete'));
  });
}

function lacksLibraries(): boolean {
  return !existsSync(librariesPath) && execFileSync('ldd', [browserPath], { encoding: 'utf8' }).includes('not found');
}

function packedFiles(): string {
  return join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..', 'bin');
}
