import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programFolder } from './settings-file.ts';

/** The version of this program, such as `1.0.0`, from the package.json in its folder. */
export const version: string = (
  JSON.parse(readFileSync(join(programFolder, 'package.json'), 'utf8')) as { readonly version: string }
).version;
