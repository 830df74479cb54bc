export const errorCatalog = {
  /** A tab of the web app acts for an account other than the one that is signed in. */
  ACCOUNT_CHANGED: { status: 409, message: 'Another account is now signed in in this browser. Nothing was changed.' },
  AUTH_REQUIRED: { status: 401, message: 'Sign in or send your API key in the X-API-Key header.' },
  AUTH_INVALID_KEY: { status: 401, message: 'Invalid API key' },
  ACCOUNT_NOT_VERIFIED: { status: 401, message: 'This account is not activated yet. Verify its email address first.' },
  EMAIL_NOT_VERIFIED: { status: 403, message: 'Verify your email address first, with the code from our newest email.' },
  INVALID_CREDENTIALS: { status: 401, message: 'E-Mail or password incorrect.' },
  INVALID_INPUT: { status: 400, message: 'The request is not valid.' },
  CODE_INVALID: {
    status: 400,
    message: 'That code is wrong or has expired. Use the one in the newest email, or request another.',
  },
  CODE_EXPIRED: { status: 400, message: 'This code is no longer valid. Request a new one.' },
  TOO_MANY_ATTEMPTS: { status: 429, message: 'Too many attempts. Wait a while and try again.' },
  EMAIL_TAKEN: { status: 409, message: 'An account with this email already exists. Sign in instead.' },
  ACCOUNT_WAITING: {
    status: 403,
    message: 'An administrator must approve your account first. You will get an email when you can sign in.',
  },
  SIGN_UP_CLOSED: { status: 403, message: 'This site accepts no new accounts.' },
  INVITATION_REQUIRED: { status: 403, message: 'You need an invitation to sign up on this site.' },
  INVITATION_INVALID: {
    status: 403,
    message: 'This invitation is no longer valid. Ask the person who sent it for a new one.',
  },
  EMAIL_DOMAIN_REFUSED: { status: 403, message: 'This site does not accept addresses of this domain.' },
  CAPTCHA_FAILED: { status: 403, message: 'The bot check failed. Try again.' },
  CROSS_SITE: { status: 403, message: 'This request came from another site and was refused.' },
  FILE_NOT_FOUND: { status: 404, message: 'There is no such file.' },
  NOT_FOUND: { status: 404, message: 'Not found.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Method not allowed at this address.' },
  RESET_KEY_INVALID: { status: 400, message: 'This reset link is no longer valid. Request a new one.' },
  OLD_PASSWORD_WRONG: { status: 403, message: 'That old password is incorrect.' },
  PASSWORD_REQUIRED: { status: 403, message: 'Confirm your password to continue.' },
  PASSWORD_WRONG: { status: 403, message: 'That password is incorrect.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request body is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'This content type is not accepted here.' },
  MISDIRECTED: { status: 421, message: 'Unknown Host header.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The request headers are too large.' },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Slow down and try again.' },
  INTERNAL: { status: 500, message: 'Something went wrong on our side. Try again later.' },
  UNAVAILABLE: { status: 503, message: 'The service is not available right now. Try again later.' },
  QUOTA_EXCEEDED: {
    status: 403,
    message: 'Your account has too little space for these files. Delete others, or restore fewer.',
  },
  // Upload errors. Their response contains the message as a plain string.
  UPLOAD_INVALID: { status: 400, message: 'The upload is not a valid multipart form.' },
  UPLOAD_NO_FILE: {
    status: 400,
    message: "The upload has no file. Send it with its name in a form field named 'file'.",
  },
  UPLOAD_INTERRUPTED: { status: 400, message: 'The upload was interrupted. Try again.' },
  UPLOAD_QUOTA_EXCEEDED: {
    status: 403,
    message: 'Not enough space or slots. Delete files, or ask the administrator for more space.',
  },
  UPLOAD_DELETED_SINCE: {
    status: 410,
    message: 'This file was stored and has been deleted since. Send a new Idempotency-Key to store it again.',
  },
  UPLOAD_TOO_LARGE: { status: 413, message: 'The file is larger than your plan allows.' },
  UPLOAD_TYPE_REFUSED: { status: 415, message: 'Your plan does not accept this type of file.' },
  UPLOAD_DIGEST_MISMATCH: {
    status: 422,
    message: 'The file that arrived does not match its sha_256. Upload it again.',
  },
  UPLOAD_KEY_REUSED: {
    status: 422,
    message: 'This Idempotency-Key belongs to another file. Send a new key with each file.',
  },
  UPLOAD_MALWARE: { status: 422, message: 'This file was found to be malware and was not stored.' },
  UPLOAD_BLOCKED: { status: 422, message: 'This file was removed after a complaint and may not be uploaded again.' },
  UPLOAD_UNKNOWN: { status: 404, message: 'There is no such upload, or it has expired. Start it again.' },
  UPLOAD_OFFSET_WRONG: {
    status: 409,
    message: 'Upload-Offset is not where this upload ends. Ask where with HEAD, and go on from there.',
  },
  UPLOAD_VERSION_UNKNOWN: { status: 412, message: 'Send Tus-Resumable: 1.0.0.' },
  UPLOAD_BUSY: { status: 423, message: 'Another request is sending bytes of this upload. Try again soon.' },
  UPLOAD_CHECKSUM_WRONG: { status: 460, message: 'The bytes do not match Upload-Checksum. Send them again.' },
  UPLOAD_STORAGE_FULL: { status: 507, message: 'The storage is full. Try again later.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCatalog;

export interface FailureOptions {
  /** Never sent. */
  readonly cause?: unknown;
  readonly retryAfterSeconds?: number;
}

export class Failure extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message?: string, options: FailureOptions = {}) {
    super(message ?? errorCatalog[code].message, { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.status = errorCatalog[code].status;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
