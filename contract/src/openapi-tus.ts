import type { Endpoint } from './endpoints.ts';
import { bytes, textHeader } from './openapi-schemas.ts';
import type { Operation, Parameter, Response } from './openapi-types.ts';
import { evictedHeader, linkHeader, tusContentType, tusVersion } from './resumable.ts';
import { tusEndpoints } from './tus-endpoints.ts';

const header = (name: string, description: string, required = false): Parameter => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
});
const version = header('Tus-Resumable', `\`${tusVersion}\`.`, true);
const id: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The last part of `Location`.',
  schema: { type: 'string' },
};
const checksum = header('Upload-Checksum', '`sha256` or `sha1`, a space, and the digest of this body in base64.');

/** Those that every such response has. */
const headers = {
  Location: textHeader('The path of the upload.'),
  'Upload-Offset': textHeader('The number of bytes that are stored.'),
  'Upload-Length': textHeader('The size of the file in bytes.'),
  'Upload-Expires': textHeader('When it expires unless more bytes arrive.'),
};

interface TusCall {
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body?: 'required' | 'optional';
  readonly returns: readonly (keyof typeof headers)[];
  readonly success: 200 | 201 | 204;
  readonly answers: Readonly<Record<number, string>>;
}

/** Of the response that completes an upload. */
const atTheEnd = `\`${linkHeader}\` is the public link, and \`${evictedHeader}\` what Continuous Uploading deleted for it, as the JSON of \`evicted\` of \`upload\``;

const ofBytes = {
  403: 'The account has 20 unfinished uploads, or the request came from another site with a session.',
  409: 'The upload ends at another offset, or is complete. With a session: another account is signed in.',
  413: 'The file is larger than the plan or the free quota allows, or the body is longer than what is missing.',
  415: 'The plan does not accept this extension, or the body has another type than `application/offset+octet-stream`.',
  422: 'The file does not match its `sha_256`, is malware, or was taken down before; the upload is removed.',
  423: 'Another request is sending bytes of this upload.',
  460: 'The body does not match `Upload-Checksum`; the upload is as before.',
  507: 'The server’s storage is full.',
} as const;

const calls: Readonly<Record<keyof typeof tusEndpoints, TusCall>> = {
  createUpload: {
    summary: 'Begin an upload that resumes',
    description: `tus 1.0, extension creation-with-upload. Returns its address in \`Location\`. A body is its first piece. When all bytes have arrived, also those of an empty file, ${atTheEnd}. Its quota is reserved at once, and it expires a day after the last byte.`,
    parameters: [
      version,
      header('Upload-Length', 'The size of the file in bytes.', true),
      header(
        'Upload-Metadata',
        '`filename` and, if you like, `sha_256`, `modified` (RFC 3339 in UTC) and `fingerprint` (up to 64 letters and digits that your list of unfinished uploads returns), each followed by its value in base64.',
      ),
      checksum,
    ],
    body: 'optional',
    returns: ['Location', 'Upload-Expires'],
    success: 201,
    answers: ofBytes,
  },
  appendToUpload: {
    summary: 'Send the next piece',
    description: `From \`Upload-Offset\` on, of any length. A connection that breaks off leaves what has arrived. With the last piece, ${atTheEnd}.`,
    parameters: [version, id, header('Upload-Offset', 'Where the upload ends so far.', true), checksum],
    body: 'required',
    returns: ['Upload-Offset'],
    success: 204,
    answers: { 404: 'There is no such upload, or it has expired.', ...ofBytes },
  },
  readUpload: {
    summary: 'Ask how far an upload is',
    description: `\`Upload-Offset\` is the number of bytes that are stored. After the last one, \`${linkHeader}\` is the public link.`,
    parameters: [version, id],
    returns: ['Upload-Offset', 'Upload-Length'],
    success: 200,
    answers: { 404: 'There is no such upload, or it has expired.', ...ofBytes },
  },
  removeUpload: {
    summary: 'Remove an unfinished upload',
    description: 'Releases its quota. The file of a complete one stays.',
    parameters: [version, id],
    returns: [],
    success: 204,
    answers: {
      403: ofBytes[403],
      404: 'There is no such upload, or it has expired.',
      409: 'Another account is signed in.',
    },
  },
};

const ofEveryCall = {
  400: 'A header is missing or not valid, or the connection broke off.',
  401: 'No key was sent, or no account has it.',
  412: `\`Tus-Resumable\` is not \`${tusVersion}\`.`,
  421: 'The `Host` header is unknown.',
  429: 'The rate limit is exceeded; `Retry-After` is the number of seconds to wait.',
  500: 'Something went wrong on the server.',
  503: 'The service is not available right now.',
} as const;

const error = { 'application/json': { schema: { $ref: '#/components/schemas/ErrorText' } } };

export const tusPaths: Readonly<Record<string, Readonly<Record<string, Operation>>>> = Object.fromEntries(
  [...Map.groupBy(Object.keys(calls) as (keyof typeof calls)[], (name) => tusEndpoints[name].path)].map(
    ([path, names]) => [
      inTemplate(path),
      Object.fromEntries(names.map((name) => [tusEndpoints[name].method.toLowerCase(), operationOf(name)])),
    ],
  ),
);

/** OpenAPI writes a variable part of a path in braces. The last part of some is the name of a file. */
export function inTemplate(path: Endpoint['path']): string {
  return path.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{filename}');
}

function operationOf(name: keyof typeof calls): Operation {
  const { summary, description, parameters, body, returns, success, answers } = calls[name];
  const found = Object.fromEntries(returns.map((each) => [each, headers[each]]));
  const refusals = Object.entries({ ...ofEveryCall, ...answers }).map(([status, text]): [string, Response] => [
    status,
    { description: text, ...(name !== 'readUpload' && { content: error }) },
  ]);
  return {
    operationId: name,
    tags: ['Files'],
    summary,
    description,
    parameters,
    ...(body && {
      requestBody: { required: body === 'required', content: { [tusContentType]: { schema: bytes } } },
    }),
    responses: { [success]: { description: 'Success.', headers: found }, ...Object.fromEntries(refusals) },
  };
}
