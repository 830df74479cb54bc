import { ScannerUnavailable, type Verdict } from './scanner.ts';

/**
 * What clamd's answer to INSTREAM says of the stream.
 * @param whole whether clamd had everything when it answered.
 * @throws {ScannerUnavailable} when it is no verdict.
 */
export function verdictOf(answer: string, whole: boolean): Verdict {
  // 'INSTREAM size limit exceeded. ERROR' is StreamMaxLength.
  if (/^INSTREAM size limit exceeded\b/.test(answer))
    return { kind: 'unscannable', why: 'it is larger than the scanner takes' };
  const [, name] = /^stream: (.+) FOUND$/.exec(answer) ?? [];
  if (name !== undefined)
    return isOnlyDoubt(name) ? { kind: 'unscannable', why: name } : { kind: 'infected', signature: printable(name) };
  if (answer !== 'stream: OK') throw new ScannerUnavailable(`it answers '${printable(answer)}'`);
  if (!whole) throw new ScannerUnavailable('it calls clean what it has not seen whole');
  return { kind: 'clean' };
}

/** What AlertExceedsMax and AlertEncrypted report is not malware: it is what clamd could not look at. */
const isOnlyDoubt = (name: string) => /^Heuristics\.(Limits\.Exceeded|Encrypted)\b/.test(name);

/** What it says is shown to operators, on terminals too. */
const printable = (text: string) => text.slice(0, 100).replaceAll(/[^\x20-\x7e]/g, '?');
