import { ScannerUnavailable, type ScanVerdict } from './scanner.ts';

/**
 * Parses clamd's reply to INSTREAM.
 * @param whole whether clamd had received everything when it replied.
 * @throws {ScannerUnavailable} when it is no verdict.
 */
export function verdictOf(answer: string, whole: boolean): ScanVerdict {
  // 'INSTREAM size limit exceeded. ERROR' means that StreamMaxLength was exceeded.
  if (/^INSTREAM size limit exceeded\b/.test(answer))
    return { kind: 'unscannable', why: 'it is larger than the scanner accepts' };
  const [, name] = /^stream: (.+) FOUND$/.exec(answer) ?? [];
  if (name !== undefined)
    return isOnlyDoubt(name) ? { kind: 'unscannable', why: name } : { kind: 'infected', signature: printable(name) };
  if (answer !== 'stream: OK') throw new ScannerUnavailable(`it answers '${printable(answer)}'`);
  if (!whole) throw new ScannerUnavailable('it reports clean without having read everything');
  return { kind: 'clean' };
}

/** AlertExceedsMax and AlertEncrypted report content that clamd could not scan, not malware. */
const isOnlyDoubt = (name: string) => /^Heuristics\.(Limits\.Exceeded|Encrypted)\b/.test(name);

/** Operators see this text, also on terminals. */
const printable = (text: string) => text.slice(0, 100).replaceAll(/[^\x20-\x7e]/g, '?');
