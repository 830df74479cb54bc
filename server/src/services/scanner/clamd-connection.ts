import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { ScannerUnavailable } from './scanner.ts';

export type ClamdAddress = { readonly host: string; readonly port: number } | { readonly path: string };

/** In milliseconds. */
export interface ClamdTimeouts {
  readonly connect: number;
  /** Longest pause while bytes are sent. */
  readonly progress: number;
  /** Wait for the verdict after everything is sent: clamd itself gives up after MaxScanTime, two minutes by default. */
  readonly answer: number;
}

/** One command and its reply, after which clamd closes the connection. Every failure is a ScannerUnavailable. */
export interface ClamdConnection extends Disposable {
  /** True if a reply has already arrived. */
  readonly answered: boolean;
  /** Resolves when the bytes are sent, or when there is a reply, after which clamd reads no more. */
  send(bytes: Uint8Array): Promise<void>;
  /** Returns the reply without its end mark. */
  answer(): Promise<string>;
}

/** Longer than any reply to these commands. */
const longestAnswer = 4096;

export async function connectToClamd(
  at: ClamdAddress,
  signal: AbortSignal,
  timeouts: ClamdTimeouts,
): Promise<ClamdConnection> {
  if (signal.aborted) throw new ScannerUnavailable('the time limit passed before it was queried', signal.reason);
  const socket = new Socket({ signal });
  const connected = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<string>();
  let text = '';
  let answered = false;
  const fail = (why: string, cause?: unknown) => {
    const error = new ScannerUnavailable(why, cause);
    connected.reject(error);
    answer.reject(error);
    socket.destroy();
  };
  // A caller that fails to send may never await the reply.
  answer.promise.catch(() => {});
  socket
    .setEncoding('latin1')
    .setTimeout(timeouts.connect, () => fail(socket.connecting ? 'it refuses connections' : 'it stopped responding'))
    .once('connect', () => {
      socket.setTimeout(timeouts.progress);
      connected.resolve();
    })
    .on('data', (part: string) => {
      text += part;
      const end = text.indexOf('\0');
      if (end === -1 && text.length > longestAnswer) return fail('its response does not end');
      if (end === -1 || answered) return;
      answered = true;
      answer.resolve(text.slice(0, end));
    })
    .once('error', (error) => fail(signal.aborted ? 'it takes too long' : error.message, error))
    .once('close', () => fail('it closed the connection without a response'));
  socket.connect({ ...at });
  await connected.promise;
  return {
    get answered() {
      return answered;
    },
    async send(bytes) {
      const sent = Promise.withResolvers<void>();
      socket.write(bytes, (error) => (error ? sent.reject(error) : sent.resolve()));
      try {
        await sent.promise;
        // A connection that takes bytes at once would never let the event loop look for a reply. clamd resets a
        // connection that sends beyond its limit, and the reply would then be lost.
        await setImmediate();
      } catch (error) {
        await setImmediate();
        if (!answered) {
          fail('it closed the connection before it had read everything', error);
          await answer.promise;
        }
      }
    },
    answer() {
      socket.setTimeout(timeouts.answer);
      return answer.promise;
    },
    [Symbol.dispose]: () => socket.destroy(),
  };
}
