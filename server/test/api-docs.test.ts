/** Compares `docs/api.md` with the contract. */
import { readFile } from 'node:fs/promises';
import { errorCatalog } from '@holdfast/contract/src/errors.ts';
import { expect, test } from 'vitest';

async function sectionOf(title: string): Promise<string> {
  const docs = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8');
  return docs.split(/^## /m).find((section) => section.startsWith(`${title}\n`)) ?? '';
}

/** Codes of the catalog by status. A refused upload returns only the message, so its codes are in no response. */
function codesByStatus(ofUploads: boolean): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const [code, { status }] of Object.entries(errorCatalog))
    if (code.startsWith('UPLOAD_') === ofUploads) found[status] = [...(found[status] ?? []), code].toSorted();
  return found;
}

test('the table of errors has every code at its status, and no other', async () => {
  const rows = (await sectionOf('Errors')).matchAll(/^\| (\d{3}) \| (.*) \|$/gm);
  const documented = [...rows].map(([, status = '', text = '']) => {
    const codes = [...text.matchAll(/`([A-Z]+(?:_[A-Z]+)*)`/g)].map(([, code = '']) => code);
    return [status, codes.toSorted()] as const;
  });
  expect(Object.fromEntries(documented)).toEqual(codesByStatus(false));
  expect(documented.map(([status]) => status)).toEqual(Object.keys(codesByStatus(false)));
});

test('the docs name every status with which an upload is refused', async () => {
  const [, refusals = ''] = (await sectionOf('Upload')).split('Refusals:');
  for (const status of Object.keys(codesByStatus(true))) expect(refusals).toMatch(new RegExp(`\\b${status}\\b`));
});
