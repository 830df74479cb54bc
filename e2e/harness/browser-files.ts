import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const browserFolder = fileURLToPath(new URL('../../.cache/browser', import.meta.url));
export const browserPath = join(browserFolder, 'chromium');
/** System libraries for machines that lack them; stays empty where they are there. */
export const librariesPath = join(browserFolder, 'al2023', 'lib');
