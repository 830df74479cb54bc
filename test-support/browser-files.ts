import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const browserFolder = fileURLToPath(new URL('../.cache/browser', import.meta.url));
export const browserPath = join(browserFolder, 'chromium');
/** System libraries, unpacked only on machines that lack them. */
export const librariesPath = join(browserFolder, 'al2023', 'lib');
