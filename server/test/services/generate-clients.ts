/** A process that writes the clients that two generators make of an OpenAPI document: `DOCUMENT FOLDER`. */
import { readFile, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { join } from 'node:path';

const [documentFile = '', folder = ''] = process.argv.slice(2);

// Both generate code with the API of the compiler, which the compiler of this repository (7) no longer has.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === 'typescript' ? { ...context, parentURL: import.meta.url } : context),
});
const [{ createClient }, { default: openapiTypes, astToString }] = await Promise.all([
  import('@hey-api/openapi-ts'),
  import('openapi-typescript'),
]);

const text = await readFile(documentFile, 'utf8');
await createClient({
  input: documentFile,
  output: { path: join(folder, 'hey-api'), module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { level: 'silent' },
});
await writeFile(join(folder, 'paths.ts'), astToString(await openapiTypes(text)));
