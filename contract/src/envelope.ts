/**
 * The one shape of every JSON answer: `{ success: true, … }` or `{ success: false, error }`
 * (spec section 7). Reading copes with the errors that are plain strings and with answers
 * that are not JSON at all: proxies, edges and crashed servers speak HTML.
 */
import { CallFailed } from './call-failed.ts';
import type { ErrorReply } from './error-reply.ts';
import type { Failure } from './errors.ts';

/** What a failure looks like on the wire; `upload` sends its message alone (decisions section 2). */
export const failureToReply = (failure: Failure, asText: boolean): ErrorReply => ({
  success: false,
  error: asText ? failure.message : { code: failure.code, message: failure.message },
});

/**
 * The value of an answer's text, without `success`.
 * @throws {CallFailed} when the server refused, or answered something else than our envelope.
 */
export function readReply(status: number, text: string, retryAfter?: string | null): Record<string, unknown> {
  const retryAfterSeconds = retryAfter && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined;
  const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  const reply = parseObject(text);
  if (!reply || typeof reply['success'] !== 'boolean') throw new CallFailed('unreadable', status, wait);
  if (reply['success']) {
    const { success: _, ...value } = reply;
    return value;
  }
  const { error } = reply;
  if (typeof error === 'string') throw new CallFailed('refused', status, { serverMessage: error, ...wait });
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  throw new CallFailed('refused', status, {
    ...(typeof code === 'string' && { code }),
    ...(typeof message === 'string' && { serverMessage: message }),
    ...wait,
  });
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Not JSON: the caller reports an unreadable answer.
  }
  return undefined;
}
