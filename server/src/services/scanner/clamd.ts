import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Scanner, ScannerUnavailable, type ScanVerdict } from './scanner.ts';

export type ClamdAddress = { readonly host: string; readonly port: number } | { readonly path: string };

const usualTimeouts = { connect: 2_000, progress: 10_000, answer: 180_000 };
type Timeouts = typeof usualTimeouts;

const largestChunk = 1024 * 1024;
const settingsCountFor = 10 * 60_000;
const longestAnswer = 4096;

/** It replies OK for content that it skipped, unless AlertExceedsMax is set; without it nothing counts as clean. */
export function openClamd(at: ClamdAddress, timeouts: Partial<Timeouts> = {}): Scanner {
  const connect = (signal: AbortSignal) => connectToClamd(at, signal, { ...usualTimeouts, ...timeouts });
  let last: { readonly tellsWhatItSkips: boolean; readonly at: number } | null = null;
  const probe = async (signal: AbortSignal) => {
    using connection = await connect(signal);
    const { kind } = await scanWith(connection, [limitsProbe()]);
    last = { tellsWhatItSkips: kind !== 'clean', at: performance.now() };
    return last.tellsWhatItSkips;
  };
  const isFresh = () => last !== null && performance.now() - last.at < settingsCountFor;
  return {
    scans: true,
    async scan(source, signal) {
      using connection = await connect(signal);
      const verdict = await scanWith(connection, source);
      if (verdict.kind !== 'clean' || (isFresh() ? last?.tellsWhatItSkips : await probe(signal))) return verdict;
      return { kind: 'unscannable', why: 'the scanner does not report what it skips' };
    },
    async check(signal) {
      using connection = await connect(signal);
      await connection.send(Buffer.from('zVERSION\0'));
      const version = await connection.answer();
      return { version, problems: (await probe(signal)) ? [] : [setAlertExceedsMax] };
    },
  };
}

const setAlertExceedsMax =
  "clamd reports OK for files beyond its limits, so no file counts as clean: put 'AlertExceedsMax yes' into clamd.conf.";

type Source = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

async function scanWith(connection: ClamdConnection, source: Source): Promise<ScanVerdict> {
  await connection.send(Buffer.from('zINSTREAM\0'));
  for await (const bytes of source) {
    for (let start = 0; start < bytes.length && !connection.answered; start += largestChunk) {
      const chunk = bytes.subarray(start, start + largestChunk);
      await connection.send(lengthOf(chunk));
      await connection.send(chunk);
    }
    if (connection.answered) return verdictOf(await connection.answer(), false);
  }
  await connection.send(lengthOf([]));
  return verdictOf(await connection.answer(), true);
}

function lengthOf({ length }: { readonly length: number }): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt32BE(length);
  return header;
}

function verdictOf(answer: string, isWhole: boolean): ScanVerdict {
  if (/^INSTREAM size limit exceeded\b/.test(answer))
    return { kind: 'unscannable', why: 'it is larger than the scanner accepts' };
  const [, name] = /^stream: (.+) FOUND$/.exec(answer) ?? [];
  if (name !== undefined && /^Heuristics\.(Limits\.Exceeded|Encrypted)\b/.test(name))
    return { kind: 'unscannable', why: name };
  if (name !== undefined) return { kind: 'infected', signature: printable(name) };
  if (answer !== 'stream: OK') throw new ScannerUnavailable(`it answers '${printable(answer)}'`);
  if (!isWhole) throw new ScannerUnavailable('it reports clean without having read everything');
  return { kind: 'clean' };
}

const printable = (text: string) => text.slice(0, 100).replaceAll(/[^\x20-\x7e]/g, '?');

interface ClamdConnection extends Disposable {
  readonly answered: boolean;
  /** Resolves also when there is a reply, after which clamd reads no more. */
  send(bytes: Uint8Array): Promise<void>;
  answer(): Promise<string>;
}

async function connectToClamd(at: ClamdAddress, signal: AbortSignal, timeouts: Timeouts): Promise<ClamdConnection> {
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
        if (answered) return;
        fail('it closed the connection before it had read everything', error);
        await answer.promise;
      }
    },
    answer() {
      socket.setTimeout(timeouts.answer);
      return answer.promise;
    },
    [Symbol.dispose]: () => socket.destroy(),
  };
}

/** No scanner unpacks this whole: clamd stops at 17 levels by default, and at 100 at most. */
function limitsProbe(): Buffer {
  let archive: Buffer = Buffer.from('Nothing is wrong with this.');
  for (let level = 0; level < 120; level += 1) archive = gzipSync(archive);
  return archive;
}
