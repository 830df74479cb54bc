/** `npm run format`: formats the source with the pinned tool. */
import { join } from 'node:path';
import { root, run } from './run.mjs';

process.exitCode = await run(join(root, 'node_modules', '.bin', 'oxfmt'), ['.']);
