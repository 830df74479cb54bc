/** `npm pack -w @holdfast/cli` runs this: one script with the SDK. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const here = import.meta.dirname;
const external = [/^node:/, 'commander'];
const bundle = await rolldown({
  input: join(here, 'src/holdfast-cli.ts'),
  platform: 'node',
  external,
  transform: { target: 'node20' },
});
const { output } = await bundle.generate({ format: 'es' });
// Tests that run side by side build it and start it.
const made = join(here, `.made-${process.pid}`);
writeFileSync(made, output[0].code, { mode: 0o755 });
mkdirSync(join(here, 'dist'), { recursive: true });
renameSync(made, join(here, 'dist/holdfast-cli.js'));
