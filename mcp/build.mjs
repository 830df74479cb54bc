/** `npm pack -w @holdfast/mcp` runs this: one script that needs no other package. */
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { licensesText } from '../scripts/licenses.mjs';

const here = import.meta.dirname;
const file = join(here, 'dist/holdfast-mcp.js');
rmSync(join(here, 'dist'), { recursive: true, force: true });
const bundle = await rolldown({
  input: join(here, 'src/holdfast-mcp.ts'),
  platform: 'node',
  external: /^node:/,
  transform: { target: 'node20' },
});
const { output } = await bundle.write({ file, format: 'es', codeSplitting: false });
chmodSync(file, 0o755);

const packageOf = (module) => /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? [];
const packages = new Set(output.flatMap(({ moduleIds = [] }) => moduleIds).flatMap(packageOf));
writeFileSync(join(here, 'dist/THIRD-PARTY-LICENSES'), licensesText([...packages]));
