/** The other browser engines that Debian packages. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Driver } from './driver.ts';
import { openFirefox } from './firefox.ts';
import { openWebKit } from './webkit.ts';

interface Engine {
  readonly name: string;
  readonly programs: readonly string[];
  open(): Promise<Driver>;
}

export const engines: readonly Engine[] = [
  { name: 'Firefox', programs: ['firefox-esr'], open: openFirefox },
  { name: 'WebKit', programs: ['WebKitWebDriver', 'Xvfb'], open: openWebKit },
];

/** The reason that an engine cannot be tested here; undefined if it can. */
export function whyNot({ programs }: Engine): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const missing = programs.filter((program) => !folders.some((folder) => existsSync(join(folder, program))));
  return missing.length === 0 ? undefined : `there is no ${missing.join(' and no ')} on this machine`;
}
