/** Downloads in the OpenAPI document. They are not endpoints: they return bytes instead of JSON and need no key. */
import { fileDocs } from './api-docs/call-texts.ts';
import { bytes } from './openapi-schemas.ts';
import type { Operation, Parameter, Response } from './openapi-types.ts';
import { fileRoot } from './public-files.ts';

export function filePaths(origins: readonly string[]): Record<string, Record<string, Operation>> {
  const servers = origins.map((url) => ({ url }));
  const download = { ...shared, servers, description: fileDocs.text.join('\n\n'), parameters: fileParameters };
  const digest = { ...shared, servers, description: digestText, parameters: [filename, ...conditions] };
  return {
    [`${fileRoot}{filename}`]: {
      get: { ...download, operationId: 'getFile', summary: fileDocs.title, responses: answers(anyType, fileHeaders) },
      head: { ...download, operationId: 'headFile', summary: 'Headers of a file', responses: headAnswers(fileHeaders) },
    },
    [`${fileRoot}{filename}.sha256`]: {
      get: {
        ...digest,
        operationId: 'getFileDigest',
        summary: 'SHA-256 of a file',
        responses: answers(digestBody, digestHeaders),
      },
      head: {
        ...digest,
        operationId: 'headFileDigest',
        summary: 'Headers of a digest',
        responses: headAnswers(digestHeaders),
      },
    },
  };
}

const digestText = 'The SHA-256 of the file as 64 hexadecimal digits of plain text. It never counts as a download.';
const shared = { security: [], tags: ['Downloads'] };

const filename: Parameter = {
  name: 'filename',
  in: 'path',
  required: true,
  description: 'The stored name, with or without the file’s extension.',
  schema: { type: 'string' },
};
const header = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
});
const conditions = [
  header('Range', 'The requested bytes, as `bytes=0-99`, `bytes=100-`, `bytes=-100` or several of them.'),
  header('If-None-Match', 'An `ETag` that you have; the response is 304 if the file still has it.'),
  header('If-Range', 'The `ETag` or date required for `Range`; otherwise the response is the whole file.'),
];
export const fileParameters: readonly Parameter[] = [
  filename,
  {
    name: 'no-count',
    in: 'query',
    description: 'With `true` the download counts neither as a hit nor as an access.',
    schema: { type: 'string', enum: ['true'] },
  },
  ...conditions,
];

const anyType = { '*/*': { schema: bytes } };
const digestBody = { 'text/plain': { schema: { type: 'string', pattern: '^[0-9a-f]{64}$' } } };
const sentence = { 'text/plain': { schema: { type: 'string' } } };

/** Meaning of each status of a download. */
export const fileAnswers: Readonly<Record<number, string>> = {
  200: 'The whole file.',
  206: 'The requested ranges.',
  304: 'Not modified, by `If-None-Match` or `If-Modified-Since`.',
  307: 'Files have their own host: `Location` is the link on it.',
  400: 'The path cannot be read, or `Host` is not valid.',
  403: 'A page of the same origin wants the file as a script, a style sheet or a worker.',
  404: 'There is no such file, or it was deleted.',
  412: '`If-Match` or `If-Unmodified-Since` does not hold.',
  416: 'None of the ranges can be satisfied.',
  421: 'The `Host` header is unknown.',
  429: 'This address has tried too many links that do not exist. Names of 8 characters or more are still served.',
  500: 'The stored bytes are damaged.',
  503: 'The malware scan is pending, or the database is away: try again after `Retry-After`.',
};

/** A request that is not valid HTTP gets JSON, because its path is unknown. */
const inEither = new Set(['400']);
const json = { 'application/json': { schema: { $ref: '#/components/schemas/ApiError' } } };

const withoutBody = new Set(['304', '307']);

function answers(body: Record<string, object>, headers: Headers): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(fileAnswers).map(([status, description]) => {
      const answer = withHeaders(status, description, headers);
      if (withoutBody.has(status)) return [status, answer];
      const succeeds = status === '200' || status === '206';
      const refused = inEither.has(status) ? { ...json, ...sentence } : sentence;
      return [status, { ...answer, content: succeeds ? body : refused }];
    }),
  );
}

/** The responses of GET without bodies. HEAD ignores ranges, so 206 and 416 are left out. */
const headAnswers = (headers: Headers): Record<string, Response> =>
  Object.fromEntries(
    Object.entries(fileAnswers)
      .filter(([status]) => status !== '206' && status !== '416')
      .map(([status, description]) => [status, withHeaders(status, description, headers)]),
  );

type Headers = Readonly<Record<string, object>>;

function withHeaders(status: string, description: string, ofSuccess: Headers): Response {
  const headers = {
    ...((status === '200' || status === '206') && ofSuccess),
    ...headersByStatus.get(status),
  };
  return { description, ...(Object.keys(headers).length > 0 && { headers }) };
}

const text = (description: string) => ({ description, schema: { type: 'string' } });
const digestHeaders = {
  ETag: text('A tag of its own, strong.'),
  'Last-Modified': text('The time of the upload.'),
  'Repr-Digest': text('The SHA-256 of these digits by RFC 9530.'),
  'Accept-Ranges': text('Always `bytes`.'),
};
const fileHeaders = {
  ...digestHeaders,
  ETag: text('The SHA-256 in quotes, strong.'),
  'Repr-Digest': text('The SHA-256 by RFC 9530.'),
  'Content-Disposition': text('The original name.'),
};
const headersByStatus = new Map<string, Headers>([
  ['206', { 'Content-Range': text('The range of these bytes; with several ranges each part has its own.') }],
  ['307', { Location: text('The link there.') }],
  ['416', { 'Content-Range': text('`bytes */` and the size of the file.') }],
  ['429', { 'Retry-After': text('Seconds to wait before the next try.') }],
  ['503', { 'Retry-After': text('Seconds to wait before the next try.') }],
]);
