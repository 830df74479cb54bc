import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { readReply } from '@holdfast/contract/src/envelope.ts';
import { type ErrorCode, errorCatalog } from '@holdfast/contract/src/errors.ts';
import { HoldfastError } from './error.ts';
import type { Answer } from './send.ts';

/** Returns what is no failed call as it is. */
export function errorOf(failed: unknown): unknown {
  if (!(failed instanceof CallFailed)) return failed;
  const { status, message, retryAfterSeconds: retryAfter, cause, problem } = failed;
  const codes = { 'no-response': 'NO_RESPONSE', unreadable: 'UNREADABLE', refused: codeOf(status, message) } as const;
  const code = (failed.code as ErrorCode | undefined) ?? codes[problem];
  return new HoldfastError(code, status, message, { retryAfter, cause });
}

/** The value of our envelope. */
export function replyOf({ status, text }: Pick<Answer, 'status' | 'text'>): Record<string, unknown> {
  try {
    return readReply(status, text);
  } catch (error) {
    throw errorOf(error);
  }
}

/** Of a response that is no success. */
export function refusal(status: number, text: string, retryAfter: string | null): HoldfastError {
  try {
    // The responses to HEAD have no body, and those of links are sentences.
    const reply = /^\s*[{<]/.test(text)
      ? text
      : JSON.stringify({ success: false, error: text.trim() || messageOf(status) });
    readReply(status, reply, retryAfter);
  } catch (error) {
    return errorOf(error) as HoldfastError;
  }
  return new HoldfastError('UNREADABLE', status, `The server sent an unexpected response (status ${status}).`);
}

const entries = Object.entries(errorCatalog) as [ErrorCode, { status: number; message: string }][];

/** Refused uploads are sentences without a code. */
function codeOf(status: number, message: string): HoldfastError['code'] {
  const ofStatus = entries.filter(([, entry]) => entry.status === status);
  const [code] =
    ofStatus.find(([, entry]) => entry.message === message) ??
    ofStatus.find(([name]) => name.startsWith('UPLOAD_')) ??
    ofStatus.find(([name]) => usual.has(name)) ??
    [];
  return code ?? ofStatus[0]?.[0] ?? 'UNREADABLE';
}

const usual: ReadonlySet<string> = new Set(['AUTH_INVALID_KEY', 'RATE_LIMITED']);

const messageOf = (status: number) =>
  entries.find(([code]) => code === codeOf(status, ''))?.[1].message ?? `The server responded with status ${status}.`;
