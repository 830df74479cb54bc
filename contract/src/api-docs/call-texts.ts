import type { CallName, calls } from '../calls.ts';
import type { ErrorCode } from '../errors.ts';
import { mostDeletedAtOnce, restorableHours } from '../limits.ts';

export const apiVersion = '3.1';
export const apiLastUpdated = { date: '2025-09-12', text: 'September 12th 2025' } as const;

export const apiBase = '/api/v3';

export type KeyCall = { [Name in CallName]: (typeof calls)[Name]['access'] extends 'account' ? Name : never }[CallName];

export const keyCalls = [
  'upload',
  'getFileList',
  'toggleFavorite',
  'deleteFiles',
  'restoreFiles',
  'getAccountInfo',
  'getAccountSettings',
] as const satisfies readonly KeyCall[];

export const groupTexts = {
  Files: 'Upload, list and delete files, with a key.',
  Account: 'Account, limits, usage and settings, with a key.',
  Downloads: 'Public links, without a key.',
} as const;

export interface CallDocs {
  readonly anchor: string;
  readonly title: string;
  readonly group: Exclude<keyof typeof groupTexts, 'Downloads'>;
  /** Paragraphs. Text between backticks is code. */
  readonly text: readonly string[];
  /** Besides `refusalsOfEveryCall` and `refusalsOfBodies`. */
  readonly refusals: readonly ErrorCode[];
}

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

export const refusalsOfBodies = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const satisfies readonly ErrorCode[];

export const callDocs: Readonly<Record<KeyCall, CallDocs>> = {
  upload: {
    anchor: 'upload',
    title: 'Upload',
    group: 'Files',
    text: [
      'Stores one file and returns its public link. Send a `multipart/form-data` form with the file in the field `file`. With `sha_256` or `sha_1` the server checks the digest of the received bytes, and refuses the upload if it differs.',
      'If no response arrives, send the upload again with the same `Idempotency-Key`: the file is stored once, and you get its link. Use a new random key for each file, such as a UUID. A key is valid for a day; with another file it returns 422.',
      'Four uploads of an account run at a time. Up to 100 more wait for their turn with their bodies unread; beyond that the call returns 429. The call has no time limit while bytes keep arriving. On this call, `error` is a string instead of an object.',
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
      'Lists your files page by page, with the usage and limits of your account. Deleted files are not included. Out-of-range values return an error.',
    ],
    refusals: [],
  },
  toggleFavorite: {
    anchor: 'toggle-favorite',
    title: 'Toggle favorite',
    group: 'Files',
    text: [
      'Marks one of your files as a favorite, or removes the mark, and returns the new state. Continuous Uploading and auto-delete never delete favorites.',
    ],
    refusals: ['CROSS_SITE', 'FILE_NOT_FOUND'],
  },
  deleteFiles: {
    anchor: 'delete-files',
    title: 'Delete files',
    group: 'Files',
    text: [
      `Deletes up to ${mostDeletedAtOnce} files. Their links stop working immediately. Unknown or deleted names and files of other accounts are ignored, so the call can be repeated safely; \`deleted\` lists the files that this call deleted.`,
    ],
    refusals: ['CROSS_SITE'],
  },
  restoreFiles: {
    anchor: 'restore-files',
    title: 'Restore files',
    group: 'Files',
    text: [
      `Restores up to ${mostDeletedAtOnce} deleted files under their old links, within ${restorableHours} hours of their deletion, whether you deleted them or Continuous Uploading or auto-delete did. If your account has too little space for all of them, none is restored. Other names are ignored; \`restored\` lists the files that this call restored.`,
    ],
    refusals: ['CROSS_SITE', 'QUOTA_EXCEEDED'],
  },
  getAccountInfo: {
    anchor: 'get-account-info',
    title: 'Get account info',
    group: 'Account',
    text: ['Returns your account, the limits of your plan, and your usage.'],
    refusals: [],
  },
  getAccountSettings: {
    anchor: 'get-account-settings',
    title: 'Get account settings',
    group: 'Account',
    text: ['Returns your settings. The API only reads them; change them on the General Settings page.'],
    refusals: [],
  },
};

export const fileDocs = {
  anchor: 'file',
  title: 'File',
  text: [
    'Downloads a file. It needs no key and does not count against the rate limit. The stored name works with and without the file’s extension; the case of the extension does not matter. Another extension returns 404.',
    'Append `.sha256` to get the SHA-256 of the file as 64 hexadecimal digits of plain text, or `.sha1` to get its SHA-1, which the resource packs of Minecraft servers need. `HEAD` returns only the headers. Ranges and conditions follow RFC 9110, so an interrupted download can be resumed. If files have their own host, the app’s host returns 307: follow it.',
    'If uploads are scanned for malware, a file that has not been scanned yet returns 503 with `Retry-After`, also to its owner; `is_pending_scan` in the file list shows this state.',
  ],
} as const;

export const refusalTexts: Readonly<Partial<Record<ErrorCode, string>>> = {
  INVALID_INPUT: 'A parameter or the body is invalid; see the message.',
  AUTH_REQUIRED: 'No key was sent.',
  AUTH_INVALID_KEY: 'No account has this key.',
  ACCOUNT_NOT_VERIFIED: 'The account’s email address was not verified yet.',
  ACCOUNT_CHANGED:
    'The header `Holdfast-Account` names an account other than the signed-in one. With a key it is ignored.',
  CROSS_SITE: 'Cross-site request with a session.',
  QUOTA_EXCEEDED: 'Not enough space or slots for these files; none was restored.',
  FILE_NOT_FOUND: 'You have no file of this name.',
  NOT_FOUND: 'No call has this path.',
  METHOD_NOT_ALLOWED: 'Method not allowed; see `Allow`.',
  REQUEST_TIMEOUT: 'The request took too long to arrive.',
  PAYLOAD_TOO_LARGE: 'A JSON body is larger than 256 KiB.',
  UNSUPPORTED_MEDIA_TYPE: 'Unsupported `Content-Type`.',
  MISDIRECTED: 'The `Host` header is unknown.',
  HEADERS_TOO_LARGE: 'The headers are larger than 16 KiB.',
  RATE_LIMITED: 'The rate limit is exceeded; `Retry-After` is the number of seconds to wait.',
  INTERNAL: 'Something went wrong on the server.',
  UNAVAILABLE: 'The service is not available right now.',
  UPLOAD_INVALID: 'The form is invalid; see the message.',
  UPLOAD_NO_FILE: 'The form has no field `file` with a file.',
  UPLOAD_INTERRUPTED: 'The upload was cut off.',
  UPLOAD_QUOTA_EXCEEDED: 'Not enough space or slots.',
  UPLOAD_TOO_LARGE: 'The file is larger than the plan allows.',
  UPLOAD_TYPE_REFUSED: 'The plan does not accept this extension.',
  UPLOAD_DIGEST_MISMATCH: 'The received bytes do not match `sha_256` or `sha_1`.',
  UPLOAD_DELETED_SINCE: 'The file stored with this `Idempotency-Key` was deleted later.',
  UPLOAD_KEY_REUSED: 'Another file was stored with this `Idempotency-Key`.',
  UPLOAD_MALWARE: 'The file is known malware, or was just found to be; nothing is stored.',
  UPLOAD_BLOCKED: 'A file of the same content was taken down after a complaint.',
  UPLOAD_STORAGE_FULL: 'The server’s storage is full.',
};
