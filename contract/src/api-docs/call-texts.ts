/**
 * Texts of the API documentation, for each call that a key may make and for downloads. The docs page and
 * `/openapi.json` share them; shapes and rules come from the endpoints.
 */
import type { CallName, calls } from '../calls.ts';
import type { ErrorCode } from '../errors.ts';

export const apiVersion = '3.1';
export const apiLastUpdated = { date: '2025-09-12', text: 'September 12th 2025' } as const;

/** Prefix of every call's path. */
export const apiBase = '/api/v3';

/** The calls that a key may make. Calls for sessions only belong to the web app and are not documented. */
export type KeyCall = { [Name in CallName]: (typeof calls)[Name]['access'] extends 'account' ? Name : never }[CallName];

/** The calls in the order of the docs, each under its anchor. */
export const keyCalls = [
  'upload',
  'getFileList',
  'toggleFavorite',
  'deleteFiles',
  'getAccountInfo',
  'getAccountSettings',
] as const satisfies readonly KeyCall[];

/** Groups of calls, for programs that generate clients or pages from the OpenAPI document. */
export const groupTexts = {
  Files: 'Uploading, listing and deleting files, with a key.',
  Account: 'Who you are and what you may use, with a key.',
  Downloads: 'Public links: bytes, without a key.',
} as const;

export interface CallDocs {
  readonly anchor: string;
  readonly title: string;
  readonly group: Exclude<keyof typeof groupTexts, 'Downloads'>;
  /** Paragraphs. Text between backticks is code. */
  readonly text: readonly string[];
  /** Errors specific to this call; `refusalsOfEveryCall` and `refusalsOfBodies` are added to them. */
  readonly refusals: readonly ErrorCode[];
}

/** Errors that any call may return. */
export const refusalsOfEveryCall = [
  'INVALID_INPUT',
  'AUTH_REQUIRED',
  'AUTH_INVALID_KEY',
  'ACCOUNT_NOT_VERIFIED',
  'ACCOUNT_CHANGED',
  'MISDIRECTED',
  'RATE_LIMITED',
  'INTERNAL',
  'UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** Errors that any call with a body may return. */
export const refusalsOfBodies = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const satisfies readonly ErrorCode[];

export const callDocs: Readonly<Record<KeyCall, CallDocs>> = {
  upload: {
    anchor: 'upload',
    title: 'Upload',
    group: 'Files',
    text: [
      'Stores one file and answers its public link. Send a `multipart/form-data` form with the file in the field `file`. With `sha_256` the server compares what arrived with what you meant, and stores nothing that differs.',
      'When no answer arrives, send the upload again: with the same `Idempotency-Key` its file is stored once and you get its link. Use a new random key for each file, such as a UUID. A key counts for a day, and with another file it gets 422.',
      'An account may have four uploads under way at a time; a fifth gets 429. The call has no time limit while bytes keep arriving. Here `error` is a plain text, not an object.',
    ],
    refusals: [
      'CROSS_SITE',
      'UPLOAD_INVALID',
      'UPLOAD_NO_FILE',
      'UPLOAD_INTERRUPTED',
      'UPLOAD_QUOTA_EXCEEDED',
      'UPLOAD_TOO_LARGE',
      'UPLOAD_TYPE_REFUSED',
      'UPLOAD_DIGEST_MISMATCH',
      'UPLOAD_DELETED_SINCE',
      'UPLOAD_KEY_REUSED',
      'UPLOAD_MALWARE',
      'UPLOAD_BLOCKED',
      'UPLOAD_STORAGE_FULL',
    ],
  },
  getFileList: {
    anchor: 'get-file-list',
    title: 'Get file list',
    group: 'Files',
    text: [
      'Lists your files, page by page, with what your account uses and may use. Deleted files are not in it. A value out of range is an error, never silently another value.',
    ],
    refusals: [],
  },
  toggleFavorite: {
    anchor: 'toggle-favorite',
    title: 'Toggle favorite',
    group: 'Files',
    text: [
      'Marks one of your files as a favorite, or takes the mark away, and answers which it is now. Neither Continuous Uploading nor the deletion of inactive files ever takes a favorite.',
    ],
    refusals: ['CROSS_SITE', 'FILE_NOT_FOUND'],
  },
  deleteFiles: {
    anchor: 'delete-files',
    title: 'Delete files',
    group: 'Files',
    text: [
      'Deletes up to 500 files. Their links stop working at once. Names that are not yours or already gone are ignored, so the call may be repeated safely; `deleted` says which files this call deleted.',
    ],
    refusals: ['CROSS_SITE'],
  },
  getAccountInfo: {
    anchor: 'get-account-info',
    title: 'Get account info',
    group: 'Account',
    text: ['Who you are, what your plan allows, and how much of it you use.'],
    refusals: [],
  },
  getAccountSettings: {
    anchor: 'get-account-settings',
    title: 'Get account settings',
    group: 'Account',
    text: ['Your settings. They are changed on the General Settings page; the API only reads them.'],
    refusals: [],
  },
};

export const fileDocs = {
  anchor: 'file',
  title: 'File',
  text: [
    'Downloads a file. It needs no key and does not count against the rate limit. The stored name works with and without the file’s extension, in any case of its letters; another extension is 404.',
    'Append `.sha256` to get the SHA-256 of the file as 64 hexadecimal digits of plain text. `HEAD` answers the headers alone. Ranges and conditions work as RFC 9110 has them, so that an interrupted download can be resumed. Where files have an address of their own, the app’s answers 307: follow it.',
    'Where uploads are scanned for malware, a file that could not be scanned yet answers 503 with `Retry-After`, to everybody; `is_pending_scan` in the list says so to its owner.',
  ],
} as const;

/** Conditions under which each error is returned. */
export const refusalTexts: Readonly<Partial<Record<ErrorCode, string>>> = {
  INVALID_INPUT: 'A parameter or the body is not valid; the message names what is wrong.',
  AUTH_REQUIRED: 'No key was sent.',
  AUTH_INVALID_KEY: 'No account has this key.',
  ACCOUNT_NOT_VERIFIED: 'The account’s email address was not verified yet.',
  ACCOUNT_CHANGED:
    'The header `Holdfast-Account` names somebody else than the one who is signed in; with a key it is ignored.',
  CROSS_SITE: 'A page of another site sent it with a session instead of a key.',
  FILE_NOT_FOUND: 'You have no file of this name.',
  NOT_FOUND: 'No call has this path.',
  METHOD_NOT_ALLOWED: 'The path takes another method; `Allow` says which.',
  REQUEST_TIMEOUT: 'The request took too long to arrive.',
  PAYLOAD_TOO_LARGE: 'A JSON body is larger than 256 KiB.',
  UNSUPPORTED_MEDIA_TYPE: 'The body has a type that the call does not take.',
  MISDIRECTED: 'The `Host` header is unknown.',
  HEADERS_TOO_LARGE: 'The headers are larger than 16 KiB.',
  RATE_LIMITED: 'Over the rate limit; `Retry-After` says in how many seconds to try again.',
  INTERNAL: 'Something went wrong on the server.',
  UNAVAILABLE: 'The service is not available right now.',
  UPLOAD_INVALID: 'The form is not valid; the message says why.',
  UPLOAD_NO_FILE: 'The form has no field `file` with a file.',
  UPLOAD_INTERRUPTED: 'The upload was cut off.',
  UPLOAD_QUOTA_EXCEEDED: 'The account has no room for the file.',
  UPLOAD_TOO_LARGE: 'The file is larger than the plan allows.',
  UPLOAD_TYPE_REFUSED: 'The Free plan does not accept this extension.',
  UPLOAD_DIGEST_MISMATCH: 'What arrived does not have the digest in `sha_256`.',
  UPLOAD_DELETED_SINCE: 'The file that was stored with this `Idempotency-Key` has been deleted since.',
  UPLOAD_KEY_REUSED: 'A file with another name or content was stored with this `Idempotency-Key`.',
  UPLOAD_MALWARE: 'The file is known malware, or was just found to be; nothing is stored.',
  UPLOAD_BLOCKED: 'A file of the same content was taken down after a complaint.',
  UPLOAD_STORAGE_FULL: 'The server’s storage is full.',
};
