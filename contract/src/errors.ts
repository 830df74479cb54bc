/**
 * The closed catalogue of failures (decisions section 2): code → HTTP status and default message.
 * Every refusal the API can give has its line here, so clients and docs can list them all.
 */
export const errorCatalogue = {
  /** Beyond the decided ones: a tab of the web app acts for somebody who is not the one that is signed in. */
  ACCOUNT_CHANGED: { status: 409, message: 'Another account is signed in in this browser now. Nothing was changed.' },
  AUTH_REQUIRED: { status: 401, message: 'Sign in or send your API key in the X-API-Key header.' },
  AUTH_INVALID_KEY: { status: 401, message: 'Invalid API key' },
  ACCOUNT_NOT_VERIFIED: { status: 401, message: 'This account is not activated yet. Verify its email address first.' },
  EMAIL_NOT_VERIFIED: { status: 403, message: 'Verify your email address first, with the code from our newest email.' },
  INVALID_CREDENTIALS: { status: 401, message: 'E-Mail or password incorrect.' },
  INVALID_INPUT: { status: 400, message: 'The request is not valid.' },
  CODE_INVALID: {
    status: 400,
    message: 'This code is not right, or no longer valid. Try the one in the newest email, or ask for another.',
  },
  CODE_EXPIRED: { status: 400, message: 'This code is no longer valid. Request a new one.' },
  TOO_MANY_ATTEMPTS: { status: 429, message: 'Too many attempts. Wait a while and try again.' },
  EMAIL_TAKEN: { status: 409, message: 'An account with this email already exists. Sign in instead.' },
  CAPTCHA_FAILED: { status: 403, message: 'The bot check failed. Try again.' },
  CROSS_SITE: { status: 403, message: 'This request came from another site and was refused.' },
  FILE_NOT_FOUND: { status: 404, message: 'There is no such file.' },
  NOT_FOUND: { status: 404, message: 'There is nothing at this address.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This address does not answer that method.' },
  RESET_KEY_INVALID: { status: 400, message: 'This reset link is not valid any more. Request a new one.' },
  OLD_PASSWORD_WRONG: { status: 403, message: 'The old password is not right.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request body is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'This content type is not accepted here.' },
  MISDIRECTED: { status: 421, message: 'This server does not answer for that host.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The request headers are too large.' },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Slow down and try again.' },
  INTERNAL: { status: 500, message: 'Something went wrong on our side. Try again later.' },
  UNAVAILABLE: { status: 503, message: 'The service is not available right now. Try again later.' },
  // Upload refusals. Their body carries the message as a plain string (decisions section 2).
  UPLOAD_INVALID: { status: 400, message: 'The upload is not a valid multipart form.' },
  UPLOAD_NO_FILE: { status: 400, message: "The upload has no file. Send it in a form field named 'file'." },
  UPLOAD_INTERRUPTED: { status: 400, message: 'The upload was interrupted. Try again.' },
  UPLOAD_NO_ROOM: { status: 403, message: 'Your account is full. Delete files or get a larger plan.' },
  UPLOAD_TOO_LARGE: { status: 413, message: 'The file is larger than your plan allows.' },
  UPLOAD_TYPE_REFUSED: { status: 415, message: 'The Free plan does not accept this type of file.' },
  UPLOAD_DIGEST_MISMATCH: {
    status: 422,
    message: 'The file that arrived does not match its sha_256. Upload it again.',
  },
  UPLOAD_MALWARE: { status: 422, message: 'This file was found to be malware and was not stored.' },
  UPLOAD_BLOCKED: { status: 422, message: 'This file was removed after a complaint and may not be uploaded again.' },
  UPLOAD_STORAGE_FULL: { status: 507, message: 'The storage is full. Try again later.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** Extra facts for the answer that the catalogue cannot know. */
export interface FailureOptions {
  /** Why it happened, for the log; never sent. */
  readonly cause?: unknown;
  /** Seconds after which trying again makes sense: becomes `Retry-After`. */
  readonly retryAfterSeconds?: number;
}

/** The one error class of the product: a refusal that a caller may read, with its code from the catalogue. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message?: string, options: FailureOptions = {}) {
    super(message ?? errorCatalogue[code].message, { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.status = errorCatalogue[code].status;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
