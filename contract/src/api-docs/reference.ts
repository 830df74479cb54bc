/** The web app's build replaces this module with its value, so that no browser loads a validator to show the docs. */
import { callDocs, fileDocs, keyCalls, type KeyCall, refusalTexts } from './call-texts.ts';
import { exampleReplies } from './examples.ts';
import { bodyGroups, type DocumentedField, type FieldGroup, fieldsOf, parameterGroups } from './field-reference.ts';
import { endpoints } from '../endpoints.ts';
import { errorCatalog } from '../errors.ts';
import { fileAnswers, fileParameters } from '../openapi-files.ts';
import { openApiOf, refusalsIn } from '../openapi.ts';
import { fileRoot } from '../public-files.ts';

export interface CallReference {
  readonly anchor: string;
  readonly title: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly aliases: readonly string[];
  readonly text: readonly string[];
  readonly takes: readonly FieldGroup[];
  readonly gives: readonly DocumentedField[];
  readonly statuses: readonly StatusReference[];
  readonly example: string;
}

export interface StatusReference {
  readonly status: number;
  readonly code: string;
  readonly text: string;
}

const { paths } = openApiOf({ name: '', email: null, app: '', files: [] });

export const apiReference: readonly CallReference[] = [fileReference(), ...keyCalls.map(callReference)];

/** The docs describe calls with a key, and some fields are only in responses to a session. */
function forKeys({ name }: DocumentedField): boolean {
  return !name.startsWith('settings_options') && !/^account\.(key_in_form|key_last_used|id|first_steps)$/.test(name);
}

export const allRefusals: readonly StatusReference[] = [...new Set(keyCalls.flatMap(refusalsIn)), ...beforeAnyCall()]
  .filter((code) => !code.startsWith('UPLOAD_'))
  .map((code) => ({ status: errorCatalog[code].status, code, text: refusalTexts[code] ?? '' }))
  .toSorted((a, b) => a.status - b.status);

function beforeAnyCall() {
  return ['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'REQUEST_TIMEOUT', 'HEADERS_TOO_LARGE'] as const;
}

function fileReference(): CallReference {
  return {
    ...fileDocs,
    method: 'GET',
    path: `${fileRoot}{filename}`,
    aliases: [],
    takes: parameterGroups(fileParameters),
    gives: [],
    statuses: Object.entries(fileAnswers).map(([status, text]) => ({ status: Number(status), code: '', text })),
    example: '',
  };
}

function callReference(name: KeyCall): CallReference {
  const { anchor, title, text } = callDocs[name];
  const { method, path, ...endpoint } = endpoints[name];
  const operation = paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${name} is not in the document`);
  const asText = 'bodyType' in endpoint;
  return {
    anchor,
    title,
    method,
    path,
    aliases: 'aliases' in endpoint ? endpoint.aliases : [],
    text,
    takes: [...parameterGroups(operation.parameters ?? []), ...bodyGroups(operation)],
    gives: fieldsOf(operation.responses['200']?.content?.['application/json']?.schema ?? {}).filter(forKeys),
    statuses: refusalsIn(name).map((code) => ({
      status: errorCatalog[code].status,
      code: asText ? '' : code,
      text: refusalTexts[code] ?? '',
    })),
    example: JSON.stringify(exampleReplies[name], null, 2),
  };
}
