import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programFolder } from './settings-file.ts';

export const version: string = (
  JSON.parse(readFileSync(join(programFolder, 'package.json'), 'utf8')) as { readonly version: string }
).version;
