import type { Endpoint } from '@holdfast/contract/src/endpoints.ts';
import { openApiOf } from '@holdfast/contract/src/openapi.ts';
import { inTemplate } from '@holdfast/contract/src/openapi-tus.ts';
import { fileRoot } from '@holdfast/contract/src/public-files.ts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifyInstance } from 'fastify';

const document = openApiOf({
  name: 'Holdfast',
  email: null,
  app: 'http://localhost',
  files: ['http://localhost'],
});

/**
 * Checks every response of a server against `/openapi.json`, for all tests and clients: the body of each call against
 * the schema of its status, and the status of each download.
 * @returns a function that throws if there was a response that the document does not allow.
 */
export function holdAnswersAgainstDocument(app: FastifyInstance): () => void {
  const faults: string[] = [];
  app.addHook('onSend', async (request, reply, payload) => {
    const { endpoint } = request.routeOptions.config;
    if (endpoint) faults.push(...faultsOf(endpoint, reply.statusCode, reply.getHeaders(), payload));
  });
  app.server.prependListener('request', (request, response) => {
    const { method = '', url = '' } = request;
    const operation = url.startsWith(fileRoot) ? document.paths[filePathOf(url)]?.[method.toLowerCase()] : undefined;
    if (!operation) return;
    response.once('finish', () => {
      if (!operation.responses[response.statusCode])
        faults.push(`${method} ${url} answered ${response.statusCode}, which the document does not have`);
    });
  });
  return () => {
    if (faults.length > 0) throw new Error(`not as /openapi.json says: ${[...new Set(faults)].slice(0, 5).join('\n')}`);
  };
}

/** Checks a single response, for a test of this check itself. */
export function faultsOf(
  { method, path, access }: Pick<Endpoint, 'method' | 'path' | 'access'>,
  status: number,
  headers: Readonly<Record<string, unknown>>,
  payload: unknown,
): string[] {
  if (access !== 'account') return [];
  const name = `${method} ${path} with ${status}`;
  const template = inTemplate(path);
  const response = document.paths[template]?.[method.toLowerCase()]?.responses[status];
  if (!response) return [`${name} is not in the document: ${String(payload)}`];
  const missing = Object.keys(response.headers ?? {}).filter((header) => headers[header.toLowerCase()] === undefined);
  if (!response.content || /^text\/plain|ndjson/.test(String(headers['content-type'])))
    return missing.map((header) => `${name} has no ${header}`);
  const validate = validatorFor(template, method.toLowerCase(), status);
  return [
    ...missing.map((header) => `${name} has no ${header}`),
    ...(validate(JSON.parse(String(payload)))
      ? []
      : [`${name}: ${ajv.errorsText(validate.errors)} in ${String(payload)}`]),
  ];
}

const filePathOf = (url: string) =>
  `${fileRoot}{filename}${/\.sha(?:256|1)(?=\?|$)/i.exec(url)?.[0].toLowerCase() ?? ''}`;

/** `externalDocs` and the like are not schema keywords, and formats are also given as patterns. */
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(document, 'document');
const validators = new Map<string, ValidateFunction>();

/** Compiled for the first response of its kind: most tests need only a few of them. */
function validatorFor(path: string, method: string, status: number): ValidateFunction {
  const place = ['paths', path, method, 'responses', String(status), 'content', 'application/json', 'schema'];
  const pointer = place.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  const known = validators.get(pointer) ?? ajv.compile({ $ref: `document#/${encodeURI(pointer)}` });
  validators.set(pointer, known);
  return known;
}
