/** `npm pack -w @holdfast/cli` runs this: one script with the SDK. */
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const here = import.meta.dirname;
const file = join(here, 'dist/holdfast-cli.js');
rmSync(join(here, 'dist'), { recursive: true, force: true });
const external = [/^node:/, 'commander'];
const bundle = await rolldown({
  input: join(here, 'src/holdfast-cli.ts'),
  platform: 'node',
  external,
  transform: { target: 'node20' },
});
await bundle.write({ file, format: 'es' });
chmodSync(file, 0o755);
