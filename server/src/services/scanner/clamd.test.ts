/** A clamd that misbehaves; the conformance suite runs on a real one, in `server/test/services`. */
import { expect, test } from 'vitest';
import { openClamd } from './clamd.ts';
import { type Behavior, startClamdStandIn } from '../../../test/stand-ins/clamd.ts';
import { inChunks } from './conformance.ts';
import { ScannerUnavailable } from './scanner.ts';

const soon = () => AbortSignal.timeout(10_000);
const bytes = Buffer.alloc(300_000, 'a');
const shortTimeouts = { progress: 50, answer: 50 };

async function verdictFrom(behavior: Behavior, source = inChunks(bytes), timeouts = {}) {
  await using clamd = await startClamdStandIn(behavior);
  return await openClamd({ host: '127.0.0.1', port: clamd.port }, timeouts).scan(source, soon());
}

test.each([
  ['INSTREAM size limit exceeded. ERROR', 'it is larger than the scanner accepts'],
  ['stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND', 'Heuristics.Limits.Exceeded.MaxFileSize'],
  ['stream: Heuristics.Encrypted.Zip FOUND', 'Heuristics.Encrypted.Zip'],
])('%s is unscannable, never clean', async (text, why) => {
  expect(await verdictFrom({ kind: 'answers', text })).toEqual({ kind: 'unscannable', why });
  expect(await verdictFrom({ kind: 'answers', text, early: true })).toEqual({ kind: 'unscannable', why });
});

test.each([
  ['stream: Win.Test.EICAR_HDB-1 FOUND', 'Win.Test.EICAR_HDB-1'],
  ['stream: Heuristics.LimitsExceededNot FOUND', 'Heuristics.LimitsExceededNot'],
  ['stream: A bell \u0007 and \u001b[2J FOUND', 'A bell ? and ?[2J'],
])('%s is malware', async (text, signature) => {
  expect(await verdictFrom({ kind: 'answers', text })).toEqual({ kind: 'infected', signature });
});

test.each<[string, Behavior]>([
  ['OK before it has everything', { kind: 'answers', text: 'stream: OK', early: true }],
  ['garbage', { kind: 'answers', text: 'HTTP/1.1 400 Bad Request\r\n\r\nstream: OK' }],
  ['nothing', { kind: 'answers', text: '' }],
  ['and goes on answering without an end', { kind: 'answers', text: 'stream: OK'.repeat(10_000) }],
  ['not but closes half-way', { kind: 'closes', afterBytes: 100_000 }],
])('a clamd that answers %s gives no verdict', async (_, behavior) => {
  await expect(verdictFrom(behavior)).rejects.toBeInstanceOf(ScannerUnavailable);
});

test.each<[string, Behavior]>([
  ['never', { kind: 'hangs' }],
  ['not and does not read', { kind: 'stops reading' }],
])('a clamd that answers %s gives no verdict after its timeout', async (_, behavior) => {
  await expect(verdictFrom(behavior, inChunks(bytes), shortTimeouts)).rejects.toBeInstanceOf(ScannerUnavailable);
});
