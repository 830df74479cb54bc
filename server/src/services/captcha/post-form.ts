import { setTimeout as pause } from 'node:timers/promises';
import { urlToHttpOptions } from 'node:url';
import { requestText } from '../request-text.ts';

export interface PostLimits {
  /** For each connection, including its TLS handshake. */
  readonly connectMs: number;
  /** For everything together, including retries. */
  readonly totalMs: number;
}

export interface PostAnswer {
  readonly status: number;
  readonly text: string;
}

const retries = 2;
const longestAnswer = 16 * 1024;

/**
 * Posts a form to a third party that judges each form once. It retries only if no judgment was received: no
 * connection, a broken connection, or a server that is temporarily unable to respond.
 * @throws when the time is over, or there is still no response after two retries.
 */
export async function postForm(url: URL, form: Record<string, string>, limits: PostLimits): Promise<PostAnswer> {
  const signal = AbortSignal.timeout(limits.totalMs);
  const body = new URLSearchParams(form).toString();
  for (let left = retries; ; left -= 1) {
    try {
      const answer = await postOnce(url, body, limits.connectMs, signal);
      if (left === 0 || (answer.status < 500 && answer.status !== 429)) return answer;
    } catch (error) {
      if (left === 0 || signal.aborted) throw error;
    }
    await pause(50 + Math.random() * 150, undefined, { signal });
  }
}

async function postOnce(url: URL, body: string, connectMs: number, signal: AbortSignal): Promise<PostAnswer> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': Buffer.byteLength(body) };
  const { response, text } = await requestText({
    secure: url.protocol === 'https:',
    ...urlToHttpOptions(url),
    method: 'POST',
    agent: false,
    headers,
    body,
    signal,
    connectMs,
    longestAnswer,
  });
  return { status: response.statusCode ?? 0, text };
}
