/**
 * `npm pack -w @holdfast/client` runs this: `dist`, or another folder, has one script with the parts of the contract that it needs, and
 * declarations that need no other package.
 */
import { queryTexts } from '@holdfast/contract/src/api-docs/field-texts.ts';
import { endpoints } from '@holdfast/contract/src/endpoints.ts';
import { errorCatalog } from '@holdfast/contract/src/errors.ts';
import { describeFields, namedSchemas, schemaOf } from '@holdfast/contract/src/openapi-schemas.ts';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { restNames } from './src/rest-names.ts';

const here = import.meta.dirname;
const [, , dist = join(here, 'dist')] = process.argv;
rmSync(dist, { recursive: true, force: true });

const bundle = await rolldown({ input: join(here, 'src/client.ts'), platform: 'neutral', treeshake: true });
await bundle.write({ file: join(dist, 'client.js'), format: 'es' });

writeDeclarations(['client', 'error', 'options']);
writeFileSync(join(dist, 'rest.d.ts'), restDeclarations());

function writeDeclarations(names) {
  const emitted = join(dist, 'emitted');
  const tsc = join(dirname(createRequire(join(here, '../package.json')).resolve('typescript/package.json')), 'bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', join(here, 'tsconfig.json'), '--outDir', emitted], { stdio: 'inherit' });
  for (const name of names) {
    const text = readFileSync(join(emitted, `client/src/${name}.d.ts`), 'utf8');
    writeFileSync(join(dist, `${name}.d.ts`), text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
  }
  rmSync(emitted, { recursive: true });
}

function restDeclarations() {
  const evicted = schemaOf(endpoints.upload.reply, 'output').properties.evicted;
  const types = { ...namedSchemas(), Evicted: evicted };
  return [
    `export type ErrorCode = ${Object.keys(errorCatalog)
      .map((code) => `'${code}'`)
      .join(' | ')};`,
    ...Object.entries(types).map(([name, schema]) => `export interface ${name} ${typeOf(schema)}`),
    `export interface RestCalls {\n${restNames.map(declarationOf).join('\n')}\n}\n`,
  ].join('\n\n');
}

function declarationOf(name) {
  const { query, body, reply } = endpoints[name];
  const asked = query && describeFields({ ...schemaOf(query, 'output'), required: [] }, queryTexts);
  const fields = [
    asked && `query: ${typeOf(asked)}`,
    body && `body: ${typeOf(schemaOf(body, 'input'))}`,
    'signal?: AbortSignal',
  ].filter(Boolean);
  const isNeeded = query || body;
  return `${name}(input${isNeeded ? '' : '?'}: { ${fields.join('; ')} }): Promise<${typeOf(schemaOf(reply, 'output'))}>;`;
}

function typeOf(schema) {
  if (schema.$ref) return schema.$ref.split('/').at(-1);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.type === 'array') return `readonly (${typeOf(schema.items)})[]`;
  if (schema.type === 'object') return objectOf(schema);
  return schema.type === 'integer' ? 'number' : schema.type;
}

function objectOf({ properties = {}, required = [] }) {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const text = schema.description === undefined ? '' : `/** ${schema.description} */\n`;
    return `${text}readonly ${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};`;
  });
  return `{\n${fields.join('\n')}\n}`;
}
