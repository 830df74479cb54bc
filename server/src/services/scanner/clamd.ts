import { verdictOf } from './clamd-answer.ts';
import { type ClamdAddress, connectToClamd, type ClamdTimeouts } from './clamd-connection.ts';
import { limitsProbe } from './limits-probe.ts';
import type { Scanner, ScanVerdict } from './scanner.ts';

const usualTimeouts: ClamdTimeouts = { connect: 2_000, progress: 10_000, answer: 180_000 };
const largestChunk = 1024 * 1024;
/** Lifetime of a probed setting, because clamd may be restarted with other settings. */
const settingsCountFor = 10 * 60_000;

/**
 * ClamAV's daemon, called with INSTREAM. It replies OK for content that it skipped because of a limit, unless
 * AlertExceedsMax is set; without that setting, nothing counts as clean.
 */
export function openClamd(at: ClamdAddress, timeouts: Partial<ClamdTimeouts> = {}): Scanner {
  const connect = (signal: AbortSignal) => connectToClamd(at, signal, { ...usualTimeouts, ...timeouts });
  const ask = async (command: string, signal: AbortSignal) => {
    using connection = await connect(signal);
    await connection.send(Buffer.from(`z${command}\0`));
    return await connection.answer();
  };
  const judge = async (source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, signal: AbortSignal) => {
    using connection = await connect(signal);
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
  };
  const tellsWhatItSkips = remembered(async (signal: AbortSignal) => {
    const verdict = await judge([limitsProbe()], signal);
    return verdict.kind !== 'clean';
  });
  return {
    scans: true,
    async scan(source, signal): Promise<ScanVerdict> {
      const verdict = await judge(source, signal);
      if (verdict.kind !== 'clean' || (await tellsWhatItSkips.known(signal))) return verdict;
      return { kind: 'unscannable', why: 'the scanner does not report what it skips' };
    },
    async check(signal) {
      const version = await ask('VERSION', signal);
      return { version, problems: (await tellsWhatItSkips.asked(signal)) ? [] : [setAlertExceedsMax] };
    },
  };
}

const setAlertExceedsMax =
  "clamd reports OK for files beyond its limits, so no file counts as clean: put 'AlertExceedsMax yes' into clamd.conf.";

function lengthOf({ length }: { readonly length: number }): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt32BE(length);
  return header;
}

/** Returns the last result while it is fresh; otherwise asks again. */
function remembered<T>(ask: (signal: AbortSignal) => Promise<T>) {
  let last: { readonly answer: T; readonly at: number } | null = null;
  const asked = async (signal: AbortSignal) => {
    const answer = await ask(signal);
    last = { answer, at: performance.now() };
    return answer;
  };
  const isYoung = (at: number) => performance.now() - at < settingsCountFor;
  return { asked, known: async (signal: AbortSignal) => (last && isYoung(last.at) ? last.answer : asked(signal)) };
}
