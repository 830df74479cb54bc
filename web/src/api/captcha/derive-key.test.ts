import { createChallenge, solveChallenge, verifySolution } from 'altcha-lib';
import { deriveKey as serverDeriveKey } from 'altcha-lib/algorithms/sha';
import { expect, test } from 'vitest';
import { deriveCaptchaKey } from './derive-key.ts';

test.each([1, 3])('a solution of the browser at cost %i passes the check of the server', async (cost) => {
  const hmacSignatureSecret = 'test';
  const challenge = await createChallenge({
    algorithm: 'SHA-256',
    cost,
    deriveKey: serverDeriveKey,
    hmacSignatureSecret,
  });
  const solution = await solveChallenge({ challenge, deriveKey: deriveCaptchaKey });
  if (!solution) throw new Error('no solution');
  const verdict = await verifySolution({ challenge, solution, deriveKey: serverDeriveKey, hmacSignatureSecret });
  expect(verdict.verified).toBe(true);
});
