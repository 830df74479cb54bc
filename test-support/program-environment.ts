import { fileURLToPath } from 'node:url';

/**
 * What a program of the product inherits in a test: where other programs are, and the code that earlier starts have
 * compiled, as under `npm start`. No setting of the machine.
 */
export const programEnvironment = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../.cache/compiled', import.meta.url)),
} as const;
