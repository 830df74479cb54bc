import {
  apiLastUpdated,
  apiVersion,
  callDocs,
  groupTexts,
  keyCalls,
  type KeyCall,
  refusalsOfBodies,
  refusalsOfEveryCall,
  refusalTexts,
} from './api-docs/call-texts.ts';
import { exampleReplies } from './api-docs/examples.ts';
import { bodyTexts, headerTexts, queryTexts, replyTexts } from './api-docs/field-texts.ts';
import { keyField, uploadKeyHeader } from './calls.ts';
import { type Endpoint, endpoints } from './endpoints.ts';
import { failureToReply } from './envelope.ts';
import { type ErrorCode, errorCatalog, Failure } from './errors.ts';
import { uploadKey } from './files.ts';
import { filePaths } from './openapi-files.ts';
import { inTemplate, tusPaths } from './openapi-tus.ts';
import { bytes, describeFields, type JsonSchema, namedSchemas, schemaOf } from './openapi-schemas.ts';
import type { OpenApi, Operation, Parameter, Response } from './openapi-types.ts';
import { mostInBatch, uploadEndpoints } from './upload-endpoints.ts';

export interface Addresses {
  readonly name: string;
  readonly email: string | null;
  readonly app: string;
  readonly files: readonly string[];
}

export function openApiOf({ name, email, app, files }: Addresses): OpenApi {
  const calls = keyCalls.map((call) => [endpoints[call].path, operationOf(call, app)] as const);
  return {
    openapi: '3.1.0',
    info: {
      title: `${name} API`,
      version: apiVersion,
      description: `Last updated ${apiLastUpdated.text}. Every call needs the account’s key, in the \`X-API-Key\` header or as a Bearer token; downloads need none. Every \`GET\` also works as \`HEAD\`, without the body. Calls of the web app alone are not included.`,
      contact: { name, url: app, ...(email !== null && { email }) },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: app }],
    tags: Object.entries(groupTexts).map(([group, description]) => ({ name: group, description })),
    // One of them is enough.
    security: [{ apiKey: [] }, { bearerKey: [] }],
    paths: {
      ...filePaths(files),
      ...Object.fromEntries(calls),
      [inTemplate(uploadEndpoints.putFile.path)]: { put: putFile() },
      [uploadEndpoints.uploadBatch.path]: { post: uploadBatch() },
      ...tusPaths,
    },
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'From the Account Info page.' },
        bearerKey: { type: 'http', scheme: 'bearer', description: 'The same key, as `Authorization: Bearer`.' },
      },
      headers: rateLimitHeaders,
      schemas: {
        ...namedSchemas(),
        ErrorCode: errorCodes,
        ApiError: errorWith({ $ref: '#/components/schemas/ErrorCode' }),
        ErrorText: errorText,
      },
    },
  };
}

function operationOf(name: KeyCall, app: string): Record<string, Operation> {
  const endpoint: Endpoint = endpoints[name];
  const { anchor, title, text, group } = callDocs[name];
  const aliases = (endpoint.aliases ?? []).map((alias) => `\`${alias}\` is the same call.`);
  const operation: Operation = {
    operationId: name,
    summary: title,
    description: [...text, ...aliases].join('\n\n'),
    externalDocs: { url: `${app}/api-docs#${anchor}` },
    tags: [group],
    ...(endpoint.query && { parameters: queryOf(endpoint.query) }),
    ...(endpoint.bodyType === 'multipart' && { parameters: uploadHeaders }),
    ...(name in bodyTexts && { requestBody: bodyOf(name, endpoint) }),
    responses: { 200: successOf(name, endpoint), ...refusalsOf(name, endpoint) },
  };
  return { [endpoint.method.toLowerCase()]: operation };
}

function queryOf(query: NonNullable<Endpoint['query']>): Parameter[] {
  const [sent, read] = [schemaOf(query, 'input').properties ?? {}, schemaOf(query, 'output').properties ?? {}];
  return Object.entries(read).map(([name, schema]) => ({
    name,
    in: 'query',
    description: new Map(Object.entries(queryTexts)).get(name) ?? '',
    // In a query, a number and its default are text.
    schema: schema.type === 'number' ? { ...schema, type: 'integer', default: Number(sent[name]?.default) } : schema,
  }));
}

function bodyOf(name: KeyCall, { body, bodyType }: Endpoint): NonNullable<Operation['requestBody']> {
  const texts = new Map<string, Readonly<Record<string, string>>>(Object.entries(bodyTexts)).get(name);
  if (bodyType === 'multipart')
    return { required: true, content: { 'multipart/form-data': { schema: describeFields(uploadForm, texts) } } };
  const schema = describeFields(body ? schemaOf(body, 'input') : {}, texts);
  return { required: true, content: { 'application/json': { schema } } };
}

const uploadHeaders: readonly Parameter[] = [
  {
    name: uploadKeyHeader,
    in: 'header',
    description: headerTexts[uploadKeyHeader],
    schema: schemaOf(uploadKey, 'input'),
  },
];

const digests = {
  sha_256: { type: 'string', pattern: '^[0-9A-Fa-f]{64}$' },
  sha_1: { type: 'string', pattern: '^[0-9A-Fa-f]{40}$' },
} as const;

const putFile = (): Operation => ({
  operationId: 'putFile',
  summary: 'Upload without a form',
  description:
    'As `curl -T` sends it: the body is the file, of any length and type. Returns the public link as a line of text, or what `upload` returns if `Accept` names JSON.',
  tags: ['Files'],
  parameters: [
    {
      name: 'filename',
      in: 'path',
      required: true,
      description: 'The name of the file, percent-encoded.',
      schema: { type: 'string' },
    },
    ...(['sha_256', 'sha_1'] as const).map((name): Parameter => ({
      name,
      in: 'query',
      description: bodyTexts.upload[name].replace(', before or after it', ''),
      schema: digests[name],
    })),
    ...uploadHeaders,
  ],
  requestBody: { required: true, content: { 'application/octet-stream': { schema: bytes } } },
  responses: {
    200: {
      ...successOf('upload', endpoints.upload),
      content: {
        'text/plain': { schema: { type: 'string' } },
        ...successOf('upload', endpoints.upload).content,
      },
    },
    ...refusalsOf('upload', endpoints.upload),
  },
});

const uploadBatch = (): Operation => ({
  operationId: 'uploadBatch',
  summary: 'Upload many files',
  description: `Stores up to ${mostInBatch.toLocaleString('en')} files of one form, each in a field \`file\`, with its digest before it. Returns a line of JSON for each as soon as it is stored or refused: its \`index\` in the form, from 0, and \`success\` with \`url\` or \`error\`. A line without \`index\`, the last one, says why the rest was not read. With one \`Idempotency-Key\` the batch can be sent again.`,
  tags: ['Files'],
  parameters: uploadHeaders,
  requestBody: {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: { file: { type: 'array', items: bytes, description: 'The files, each with its name.' } },
          required: ['file'],
        },
      },
    },
  },
  responses: {
    200: {
      description: 'A line for each file.',
      headers: rateLimitReferences,
      content: { 'application/x-ndjson': { schema: { type: 'string' } } },
    },
    ...refusalsOf('upload', {}),
  },
});

/** The handler reads the form as a stream, so no validator describes it. */
const uploadForm: JsonSchema = {
  type: 'object',
  properties: {
    file: bytes,
    ...digests,
    [keyField]: { type: 'string' },
  },
  required: ['file'],
};

function successOf(name: KeyCall, { reply }: Endpoint): Response {
  const { properties, required, ...schema } = describeFields(schemaOf(reply, 'output'), replyTexts[name]);
  const whole = {
    ...schema,
    properties: { success: { const: true }, ...properties },
    required: ['success', ...(required ?? [])],
  };
  return {
    description: 'Success.',
    headers: rateLimitReferences,
    content: { 'application/json': { schema: whole, example: exampleReplies[name] } },
  };
}

export function refusalsIn(name: KeyCall): ErrorCode[] {
  const codes: ErrorCode[] = [
    ...refusalsOfEveryCall,
    ...(endpoints[name].method === 'GET' ? [] : refusalsOfBodies),
    ...callDocs[name].refusals,
  ];
  return codes.toSorted((a, b) => errorCatalog[a].status - errorCatalog[b].status);
}

function refusalsOf(name: KeyCall, { bodyType }: Pick<Endpoint, 'bodyType'>): Record<string, Response> {
  const asText = bodyType === 'multipart';
  const byStatus = Map.groupBy(refusalsIn(name), (code) => errorCatalog[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${refusalTexts[code] ?? ''}`).join('\n\n'),
        headers: refusalHeaders(status),
        content: {
          'application/json': {
            schema: asText ? { $ref: '#/components/schemas/ErrorText' } : errorOf(codes),
            examples: Object.fromEntries(
              codes.map((code) => [code, { value: failureToReply(new Failure(code), asText) }]),
            ),
          },
        },
      },
    ]),
  );
}

/** A call that cannot be counted is 503, so that status promises no rate limit. */
const refusalHeaders = (status: number) => ({
  ...(status !== 503 && rateLimitReferences),
  ...((status === 429 || status === 503) && { 'Retry-After': retryAfter }),
});

const errorOf = (codes: readonly string[]) => errorWith({ type: 'string', enum: codes });

function errorWith(code: JsonSchema): JsonSchema {
  const fields = { code, message: { type: 'string', description: 'For people.' } };
  return refusal({
    type: 'object',
    properties: fields,
    required: ['code', 'message'],
    additionalProperties: false,
  });
}

function refusal(error: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: { success: { const: false }, error },
    required: ['success', 'error'],
    additionalProperties: false,
  };
}

const errorText = refusal({ type: 'string', description: 'For people: uploads refuse with a plain text.' });

const errorCodes: JsonSchema = {
  type: 'string',
  oneOf: Object.entries(errorCatalog).map(([code, { status, message }]) => ({
    const: code,
    title: String(status),
    description: message,
  })),
};

const wholeSeconds = { type: 'integer', minimum: 0 };
const rateLimitHeaders = {
  'RateLimit-Limit': {
    description: 'Number of calls that can be made at once after a pause.',
    schema: { type: 'integer', minimum: 0 },
  },
  'RateLimit-Remaining': { description: 'Number of calls that are left.', schema: { type: 'integer', minimum: 0 } },
  'RateLimit-Reset': { description: 'Seconds until all of them are available again.', schema: wholeSeconds },
} as const;
const retryAfter = { description: 'Seconds to wait before the next try.', schema: wholeSeconds };
const rateLimitReferences = Object.fromEntries(
  Object.keys(rateLimitHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);
