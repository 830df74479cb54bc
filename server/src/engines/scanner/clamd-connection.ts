import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { ScannerUnavailable } from './scanner.ts';

export type ClamdAddress = { readonly host: string; readonly port: number } | { readonly path: string };

/** Milliseconds. */
export interface ClamdTimeouts {
  readonly connect: number;
  /** While bytes are sent. */
  readonly progress: number;
  /** For the verdict, once everything is sent: clamd itself gives up after its MaxScanTime, two minutes by default. */
  readonly answer: number;
}

/** One command and its answer: clamd closes the connection after it. Every failure is a ScannerUnavailable. */
export interface ClamdConnection extends Disposable {
  /** Whether an answer is there already. */
  readonly answered: boolean;
  /** Resolves when the bytes are out of our hands, or when there is an answer, after which clamd reads no more. */
  send(bytes: Uint8Array): Promise<void>;
  /** The answer without its end mark. */
  answer(): Promise<string>;
}

/** Longer than any answer that we ask for. */
const longestAnswer = 4096;

export async function connectToClamd(
  at: ClamdAddress,
  signal: AbortSignal,
  timeouts: ClamdTimeouts,
): Promise<ClamdConnection> {
  if (signal.aborted) throw new ScannerUnavailable('the time for it was over before it was asked', signal.reason);
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
  // Whoever fails to send may never ask for the answer.
  answer.promise.catch(() => {});
  socket
    .setEncoding('latin1')
    .setTimeout(timeouts.connect, () => fail(socket.connecting ? 'it lets nobody in' : 'it does not go on'))
    .once('connect', () => {
      socket.setTimeout(timeouts.progress);
      connected.resolve();
    })
    .on('data', (part: string) => {
      text += part;
      const end = text.indexOf('\0');
      if (end === -1 && text.length > longestAnswer) return fail('it answers without an end');
      if (end === -1 || answered) return;
      answered = true;
      answer.resolve(text.slice(0, end));
    })
    .once('error', (error) => fail(signal.aborted ? 'it takes too long' : error.message, error))
    .once('close', () => fail('it closed the connection without an answer'));
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
        // A connection that takes bytes at once never lets the loop come round to look for an answer, and clamd resets
        // one that goes on sending beyond its limit: then the answer would be lost.
        await setImmediate();
      } catch (error) {
        await setImmediate();
        if (!answered) {
          fail('it closed the connection before it had everything', error);
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
