/** This takes the ten seconds of the product's own limit. */
import { expect, test } from 'vitest';
import { checkScanner } from '../../src/moderation/scanner-health.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { startServer } from '../harness/start-server.ts';
import { fileUrl, uploadFile } from '../harness/uploads.ts';
import { startClamdStandIn } from '../stand-ins/clamd.ts';

test('a hung scanner delays one upload by ten seconds, and later uploads not at all', async () => {
  await using clamd = await startClamdStandIn();
  await using server = await startServer({ SCANNER_URL: `clamd://127.0.0.1:${clamd.port}` });
  const account = await signUpAndIn(server);
  clamd.behavior = { kind: 'hangs' };
  let texts = 0;
  const newText = () => `text ${(texts += 1)}`;
  const timed = async () => {
    const startedAt = performance.now();
    const name = await uploadFile(server, account, newText());
    return { name, took: performance.now() - startedAt };
  };
  const first = await timed();
  expect(first.took).toBeGreaterThan(9_000);
  expect(first.took).toBeLessThan(12_000);
  expect((await fetch(fileUrl(server, first.name))).status).toBe(503);
  // The check of the scanner takes two seconds at most.
  expect(await checkScanner(server.context)).toBe(false);
  expect((await timed()).took).toBeLessThan(1_500);
  clamd.behavior = { kind: 'scans' };
  await expect.poll(() => checkScanner(server.context)).toBe(true);
  expect(await server.runJob('scan-pending')).toEqual({ cleared: 2, quarantined: 0 });
  expect((await fetch(fileUrl(server, await uploadFile(server, account, newText())))).status).toBe(200);
});
