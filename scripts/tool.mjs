/** `npm run lint` and similar: runs one of the development tools under the pinned Node. */
import { join } from 'node:path';
import { root, run } from './run.mjs';

const [name = '', ...args] = process.argv.slice(2);
process.exitCode = await run(join(root, 'node_modules', '.bin', name), args);
