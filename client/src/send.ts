/** One request whose body is counted while it is sent. */
import { HoldfastError } from './error.ts';

export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Blob | FormData | undefined;
  readonly onSent?: ((bytes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly header: (name: string) => string | null;
}

/** Milliseconds in which neither a byte leaves nor a response arrives: the server scans and syncs a whole file. */
const longestSilence = 120_000;

export async function send(outgoing: Outgoing, fetch: typeof globalThis.fetch): Promise<Answer> {
  const silence = new AbortController();
  const expire = () => silence.abort();
  let timer = setTimeout(expire, longestSilence);
  const onSent = (bytes: number) => {
    clearTimeout(timer);
    timer = setTimeout(expire, longestSilence);
    outgoing.onSent?.(bytes);
  };
  const signal = outgoing.signal ? AbortSignal.any([outgoing.signal, silence.signal]) : silence.signal;
  try {
    const request = { ...outgoing, onSent, signal };
    // In browsers fetch reports no progress of a body, and streams one over HTTP/2 at best.
    return await (typeof XMLHttpRequest === 'undefined' ? overFetch(request, fetch) : overXhr(request));
  } catch (error) {
    outgoing.signal?.throwIfAborted();
    throw new HoldfastError('NO_RESPONSE', 0, 'No response from server. Please check your connection.', {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}

type Watched = Outgoing & { readonly onSent: (bytes: number) => void; readonly signal: AbortSignal };

async function overFetch({ method, url, body, onSent, signal, ...rest }: Watched, fetch: typeof globalThis.fetch) {
  // A response turns a form into bytes and knows their boundary.
  const whole = new Response(body ?? null);
  const type = body instanceof FormData ? whole.headers.get('Content-Type') : null;
  const answer = await fetch(url, {
    method,
    headers: { ...rest.headers, ...(type !== null && { 'Content-Type': type }) },
    ...(whole.body && { body: counted(whole.body, onSent), duplex: 'half' }),
    credentials: 'omit',
    // The key is meant for this address alone.
    redirect: 'manual',
    signal,
  });
  return { status: answer.status, text: await answer.text(), header: (name: string) => answer.headers.get(name) };
}

/** A `Blob` in memory comes as one chunk, however large. */
const partBytes = 256 * 1024;

function counted(body: ReadableStream<Uint8Array<ArrayBuffer>>, onSent: (bytes: number) => void) {
  const reader = body.getReader();
  let rest = new Uint8Array();
  let sent = 0;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        while (rest.length === 0) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          rest = value;
        }
        const part = rest.subarray(0, partBytes);
        rest = rest.subarray(partBytes);
        controller.enqueue(part);
        onSent((sent += part.length));
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

const overXhr = ({ method, url, headers, body, onSent, signal }: Watched) =>
  new Promise<Answer>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const fail = () => reject(new TypeError('The request failed.'));
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onabort = fail;
    request.onerror = fail;
    request.onload = () =>
      resolve({
        status: request.status,
        text: request.responseText,
        header: (name) => request.getResponseHeader(name),
      });
    request.onloadend = () => signal.removeEventListener('abort', abort);
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    signal.throwIfAborted();
    signal.addEventListener('abort', abort, { once: true });
    request.send(body ?? null);
  });
