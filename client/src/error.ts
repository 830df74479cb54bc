import type { ErrorCode } from './rest.ts';

export class HoldfastError extends Error {
  /** `NO_RESPONSE`: none arrived. `UNREADABLE`: it came from a proxy, or is not of Holdfast. */
  readonly code: ErrorCode | 'NO_RESPONSE' | 'UNREADABLE';
  /** Of HTTP; 0 without a response. */
  readonly status: number;
  /** Seconds to wait before the next try, if the server named them. */
  readonly retryAfter: number | undefined;

  constructor(
    code: HoldfastError['code'],
    status: number,
    message: string,
    { retryAfter, cause }: { retryAfter?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = 'HoldfastError';
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}
