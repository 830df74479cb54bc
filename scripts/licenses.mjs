import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names of the files in which packages state their license; a notice belongs to it. */
const licenseFile = /^(licen[cs]e|copying|notice)/i;

const rule = '-'.repeat(80);

/** Returns the names, versions and licenses of the packages in these folders, as the licenses demand of every copy. */
export function licensesText(folders) {
  const packages = new Map(folders.map(readPackage).map((found) => [`${found.name} ${found.version}`, found]));
  const entries = [...packages].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${['Holdfast contains code and fonts of these packages.', ...entries.map(entryText)].join(`\n\n${rule}\n\n`)}\n`;
}

const entryText = ([heading, { license, author, texts }]) =>
  [heading, `License: ${license}`, ...(texts.length > 0 ? texts : [`By ${author}`])].join('\n\n');

/** Throws if a package states no license: it must not be distributed then. */
function readPackage(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${name} states no license in its package.json.`);
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (file) => file.isFile() && licenseFile.test(file.name),
  );
  const texts = files
    .map((file) => file.name)
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return { name, version, license, author: author?.name ?? author ?? 'its authors', texts };
}
