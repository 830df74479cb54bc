/** Downloads in the OpenAPI document. They are no endpoints: bytes, not JSON, and nobody's key. */
import { fileDocs } from './api-docs.ts';
import type { Operation, Parameter, Response } from './openapi.ts';
import { fileRoot } from './public-files.ts';

export function filePaths(origins: readonly string[]): Record<string, Record<string, Operation>> {
  const servers = origins.map((url) => ({ url }));
  const download = { ...shared, servers, description: fileDocs.text.join('\n\n'), parameters: fileParameters };
  const digest = { ...shared, servers, description: digestText, parameters: [filename, ...conditions] };
  return {
    [`${fileRoot}{filename}`]: {
      get: { ...download, operationId: 'getFile', summary: fileDocs.title, responses: answers(bytes) },
      head: { ...download, operationId: 'headFile', summary: 'Headers of a file', responses: headAnswers },
    },
    [`${fileRoot}{filename}.sha256`]: {
      get: { ...digest, operationId: 'getFileDigest', summary: 'SHA-256 of a file', responses: answers(digestBody) },
      head: { ...digest, operationId: 'headFileDigest', summary: 'Headers of a digest', responses: headAnswers },
    },
  };
}

const digestText = 'The SHA-256 of the file as 64 hexadecimal digits of plain text. It never counts as a download.';
const shared = { security: [] };

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
  header('Range', 'Which bytes, as `bytes=0-99`, `bytes=100-`, `bytes=-100` or several of them.'),
  header('If-None-Match', 'The `ETag` that you have: 304 where it is still the file’s.'),
  header('If-Range', 'The `ETag` or date that makes `Range` count; the whole file comes otherwise.'),
];
export const fileParameters: readonly Parameter[] = [
  filename,
  {
    name: 'no-count',
    in: 'query',
    description: 'With `true` the download does not count as a hit.',
    schema: { type: 'string', enum: ['true'] },
  },
  ...conditions,
];

const bytes = { '*/*': {} };
const digestBody = { 'text/plain': { schema: { type: 'string', pattern: '^[0-9a-f]{64}$' } } };
const sentence = { 'text/plain': { schema: { type: 'string' } } };

/** What each status of a download means. */
export const fileAnswers: Readonly<Record<number, string>> = {
  200: 'All of the file.',
  206: 'The ranges that were asked for.',
  304: 'You have it already: `If-None-Match` or `If-Modified-Since`.',
  307: 'Files have another address: `Location` has the link there.',
  400: 'The path cannot be read, or `Host` is not valid.',
  403: 'A page of the same origin wants the file as a script, a style sheet or a worker.',
  404: 'There is no such file, or it was deleted.',
  412: '`If-Match` or `If-Unmodified-Since` does not hold.',
  416: 'None of the ranges can be satisfied.',
  421: 'The `Host` is none of this server’s.',
  500: 'The stored bytes are damaged.',
  503: 'The file is being checked for malware, or the server is about to stop: try again, after `Retry-After` where it is there.',
};

/** What is refused before anybody looks whether it is a download. */
const inJson = new Set(['400', '421']);
const inEither = new Set(['503']);
const json = { 'application/json': { schema: { type: 'object' } } };

const withoutBody = new Set(['304', '307']);

function answers(body: Record<string, object>): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(fileAnswers).map(([status, description]) => {
      if (withoutBody.has(status)) return [status, { description }];
      const succeeds = status === '200' || status === '206';
      if (succeeds) return [status, { description, headers: fileHeaders, content: body }];
      return [
        status,
        {
          description,
          content: inEither.has(status) ? { ...json, ...sentence } : inJson.has(status) ? json : sentence,
        },
      ];
    }),
  );
}

const text = (description: string) => ({ description, schema: { type: 'string' } });
const fileHeaders = {
  ETag: text('The SHA-256 in quotes, strong.'),
  'Last-Modified': text('The time of the upload.'),
  'Repr-Digest': text('The SHA-256 by RFC 9530.'),
  'Accept-Ranges': text('Always `bytes`.'),
  'Content-Disposition': text('The original name.'),
};

/** As GET has them, without bodies; a range means nothing to HEAD. */
const headAnswers: Record<string, Response> = Object.fromEntries(
  Object.entries(fileAnswers)
    .filter(([status]) => status !== '206' && status !== '416')
    .map(([status, description]) => [status, { description, ...(status === '200' && { headers: fileHeaders }) }]),
);
