import { fileDocs } from './api-docs/call-texts.ts';
import { bytes, textHeader } from './openapi-schemas.ts';
import type { Operation, Parameter, Response } from './openapi-types.ts';
import { fileRoot } from './public-files.ts';

export function filePaths(origins: readonly string[]): Record<string, Record<string, Operation>> {
  const servers = origins.map((url) => ({ url }));
  const download = { ...shared, servers, description: fileDocs.text.join('\n\n'), parameters: fileParameters };
  return {
    [`${fileRoot}{filename}`]: {
      get: { ...download, operationId: 'getFile', summary: fileDocs.title, responses: answers(anyType, fileHeaders) },
      head: { ...download, operationId: 'headFile', summary: 'Headers of a file', responses: headAnswers(fileHeaders) },
    },
    [`${fileRoot}{filename}.sha256`]: digestPath(servers, 'SHA-256', 'getFileDigest', 'headFileDigest'),
    [`${fileRoot}{filename}.sha1`]: digestPath(servers, 'SHA-1', 'getFileSha1', 'headFileSha1'),
  };
}

function digestPath(
  servers: readonly { readonly url: string }[],
  algorithm: keyof typeof digestTexts,
  get: string,
  head: string,
): Record<string, Operation> {
  const { text: description, digits } = digestTexts[algorithm];
  const body = { 'text/plain': { schema: { type: 'string', pattern: `^[0-9a-f]{${digits}}$` } } };
  const digest = { ...shared, servers, description, parameters: [filename, ...conditions] };
  return {
    get: {
      ...digest,
      operationId: get,
      summary: `${algorithm} of a file`,
      responses: answers(body, digestHeaders),
    },
    head: {
      ...digest,
      operationId: head,
      summary: `Headers of the ${algorithm} of a file`,
      responses: headAnswers(digestHeaders),
    },
  };
}

const digestTexts = {
  'SHA-256': {
    digits: 64,
    text: 'The SHA-256 of the file as 64 hexadecimal digits of plain text. It never counts as a download.',
  },
  'SHA-1': {
    digits: 40,
    text: 'The SHA-1 of the file as 40 hexadecimal digits of plain text, for programs that need it. It is computed when it is first requested; for a large file the response may be 503 until it is known. It never counts as a download.',
  },
} as const;
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
    description: '`true`: this download is not counted.',
    schema: { type: 'string', enum: ['true'] },
  },
  ...conditions,
];

const anyType = { '*/*': { schema: bytes } };
const sentence = { 'text/plain': { schema: { type: 'string' } } };

export const fileAnswers: Readonly<Record<number, string>> = {
  200: 'The whole file.',
  206: 'The requested ranges.',
  302: 'The bytes are at the address in `Location`, which works for 15 minutes. Only if the operator sends downloads to an S3 store.',
  304: 'Not modified, by `If-None-Match` or `If-Modified-Since`.',
  307: 'Files have their own host: `Location` is the link on it.',
  400: 'The path or `Host` is invalid.',
  403: 'A page of the same origin requested the file as a script, a style sheet or a worker.',
  404: 'There is no such file, or it was deleted.',
  412: '`If-Match` or `If-Unmodified-Since` failed.',
  416: 'None of the ranges can be satisfied.',
  421: 'The `Host` header is unknown.',
  429: 'This address has tried too many links that do not exist. Names of 8 characters or more are still served.',
  500: 'The stored bytes are damaged.',
  503: 'The malware scan is pending, the SHA-1 is not known yet, or the database is away: try again after `Retry-After`.',
};

/** A request that is not valid HTTP gets JSON, because its path is unknown. */
const inEither = new Set(['400']);
const json = { 'application/json': { schema: { $ref: '#/components/schemas/ApiError' } } };

const withoutBody = new Set(['302', '304', '307']);

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

/** The responses of GET without bodies. HEAD ignores ranges, so 206 and 416 are left out, and reads no bytes elsewhere. */
const headAnswers = (headers: Headers): Record<string, Response> =>
  Object.fromEntries(
    Object.entries(fileAnswers)
      .filter(([status]) => !['206', '302', '416'].includes(status))
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

const digestHeaders = {
  ETag: textHeader('A tag of its own, strong.'),
  'Last-Modified': textHeader('The time of the upload.'),
  'Repr-Digest': textHeader('The SHA-256 of these digits by RFC 9530.'),
  'Accept-Ranges': textHeader('Always `bytes`.'),
};
const fileHeaders = {
  ...digestHeaders,
  ETag: textHeader('The SHA-256 in quotes, strong.'),
  'Repr-Digest': textHeader('The SHA-256 by RFC 9530.'),
  'Content-Disposition': textHeader('The original name.'),
};
const headersByStatus = new Map<string, Headers>([
  ['206', { 'Content-Range': textHeader('The range of these bytes; with several ranges each part has its own.') }],
  ['302', { Location: textHeader('The address in the store.') }],
  ['307', { Location: textHeader('The link there.') }],
  ['416', { 'Content-Range': textHeader('`bytes */` and the size of the file.') }],
  ['429', { 'Retry-After': textHeader('Seconds to wait before the next try.') }],
  ['503', { 'Retry-After': textHeader('Seconds to wait before the next try.') }],
]);
