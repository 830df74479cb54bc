import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/**
 * Returns the software bill of materials (CycloneDX) of the packages in these folders, with the digests of the lock
 * file. `time` is in seconds since 1970.
 */
export function softwareBill(folders, time) {
  const names = new Set(folders.map(nameOf));
  const bill = JSON.parse(
    execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    }),
  );
  const components = bill.components.filter(({ name, version }) => names.has(`${name}@${version}`));
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
  for (const name of names) if (!listed.has(name)) throw new Error(`npm's bill of materials lacks ${name}.`);
  const refs = new Set([bill.metadata.component['bom-ref'], ...components.map((each) => each['bom-ref'])]);
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  // A random number would make every bill different.
  const { serialNumber: _random, ...rest } = bill;
  const timestamp = new Date(time * 1000).toISOString();
  // npm names the program after the folder of the clone.
  const component = { ...bill.metadata.component, name: 'holdfast' };
  return { ...rest, metadata: { ...bill.metadata, timestamp, component }, components, dependencies };
}

function nameOf(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${name}@${version}`;
}
