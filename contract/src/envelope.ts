/** Proxies, edges and crashed servers return HTML, and uploads are refused with a plain string. */
import { CallFailed } from './call-failed.ts';
import type { ErrorReply } from './error-reply.ts';
import type { Failure } from './errors.ts';

export const failureToReply = (failure: Failure, asText: boolean): ErrorReply => ({
  success: false,
  error: asText ? failure.message : { code: failure.code, message: failure.message },
});

/** Returns the value without `success`. */
export function readReply(status: number, text: string, retryAfter?: string | null): Record<string, unknown> {
  const retryAfterSeconds = secondsIn(retryAfter ?? '');
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

/** `Retry-After` is a number of seconds or a date (RFC 9110, section 10.2.3). */
function secondsIn(retryAfter: string): number | undefined {
  if (/^\d{1,6}$/.test(retryAfter)) return Number(retryAfter);
  const seconds = Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000);
  return retryAfter.endsWith('GMT') && seconds >= 0 && seconds < 1_000_000 ? seconds : undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Not JSON: the caller reports an unreadable response.
  }
  return undefined;
}
