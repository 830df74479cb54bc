/** The web app's build replaces this module with its value, so that no browser loads a validator to show the docs. */
import { callDocs, fileDocs, keyCalls, type KeyCall, refusalTexts } from './call-texts.ts';
import { exampleLines, exampleReplies } from './examples.ts';
import { bodyGroups, type DocumentedField, type FieldGroup, fieldsOf, parameterGroups } from './field-reference.ts';
import { type Endpoint, endpoints } from '../endpoints.ts';
import { errorCatalog } from '../errors.ts';
import { fileAnswers, fileParameters } from '../openapi-files.ts';
import { inTemplate } from '../openapi-tus.ts';
import type { Operation } from '../openapi-types.ts';
import { openApiOf, refusalsIn } from '../openapi.ts';
import { fileRoot } from '../public-files.ts';
import { tusPath } from '../resumable.ts';
import { tusEndpoints } from '../tus-endpoints.ts';
import { uploadEndpoints } from '../upload-endpoints.ts';

export interface CallReference {
  readonly anchor: string;
  readonly title: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
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

const references = keyCalls.map(callReference);

export const apiReference: readonly CallReference[] = [
  fileReference(),
  ...references.slice(0, 1),
  putReference(),
  batchReference(),
  tusReference(),
  ...references.slice(1),
];

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
  const operation = operationAt(method, path);
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
    statuses: statusesOf(name, asText),
    example: JSON.stringify(exampleReplies[name], null, 2),
  };
}

function statusesOf(name: KeyCall, asText: boolean): StatusReference[] {
  return refusalsIn(name).map((code) => ({
    status: errorCatalog[code].status,
    code: asText ? '' : code,
    text: refusalTexts[code] ?? '',
  }));
}

function putReference(): CallReference {
  const { text, ...reference } = uploadReference('put-file', 'PUT', uploadEndpoints.putFile.path);
  return { ...reference, text: [...text, 'The errors are those of Upload.'] };
}

function batchReference(): CallReference {
  const reference = uploadReference('upload-batch', 'POST', uploadEndpoints.uploadBatch.path);
  return { ...reference, statuses: statusesOf('upload', false), example: exampleLines };
}

/** One section for its four calls. */
function tusReference(): CallReference {
  const calls = Object.values(tusEndpoints).map(({ method, path }) => {
    const template = inTemplate(path);
    return { method, template, ...operationAt(method, template) };
  });
  const texts = calls.map(
    ({ method, template, summary, description }) => `\`${method} ${template}\`: ${summary}. ${description}`,
  );
  return {
    ...uploadReference('tus', 'POST', tusPath),
    title: 'Resumable upload',
    text: ['The protocol is tus 1.0, so tus-js-client, Uppy and tuspy work with your key in a header.', ...texts],
    takes: calls.slice(0, 2).flatMap(({ method, parameters = [] }) =>
      parameterGroups(parameters.filter((each) => each.in === 'header')).map(({ fields }) => ({
        name: `Headers of ${method}`,
        fields,
      })),
    ),
    statuses: Object.entries(operationAt('PATCH', inTemplate(tusEndpoints.appendToUpload.path)).responses)
      .filter(([status]) => status >= '400')
      .map(([status, { description }]) => ({ status: Number(status), code: '', text: description })),
  };
}

function uploadReference(anchor: string, method: 'POST' | 'PUT', path: Endpoint['path']): CallReference {
  const template = inTemplate(path);
  const operation = operationAt(method, template);
  return {
    anchor,
    title: operation.summary,
    method,
    path: template,
    aliases: [],
    text: [operation.description],
    takes: [...parameterGroups(operation.parameters ?? []), ...bodyGroups(operation)],
    gives: [],
    statuses: [],
    example: '',
  };
}

function operationAt(method: string, path: string): Operation {
  const operation = paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${path} is not in the document`);
  return operation;
}
