import type { CaptchaChallenge } from '@holdfast/contract/src/endpoints.ts';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import type { Challenge, Payload } from 'altcha-lib/types';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { expect, test } from 'vitest';
import { minutes } from '../../lib/clock.ts';
import { openSqlite } from '../../storage/db/sqlite.ts';
import { openAltcha } from './altcha.ts';
import { captchaConformance, type CaptchaEngine } from './conformance.ts';

interface Altcha extends CaptchaEngine {
  readonly advance: (ms: number) => void;
}

const encode = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64');
const decode = (token: string) => JSON.parse(Buffer.from(token, 'base64').toString()) as Payload;

async function openEngine(secret = 'a secret of this test', difficulty = 3): Promise<Altcha> {
  const folder = await mkdtemp(join(memoryFolder(), 'holdfast-altcha-'));
  const db = await openSqlite(join(folder, 'test.db'));
  let now = Date.now();
  return {
    captcha: openAltcha({ secret, db, clock: { now: () => now }, difficulty }),
    solve: solved,
    advance: (ms) => (now += ms),
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function solved(given: CaptchaChallenge): Promise<string> {
  if (given.kind !== 'altcha') throw new Error('not a challenge of this engine');
  const challenge = given.challenge as unknown as Challenge;
  return encode({ challenge, solution: await solveChallenge({ challenge, deriveKey }) });
}

captchaConformance(openEngine);

test('a solution is accepted once, even when it is sent many times at once', async () => {
  await using engine = await openEngine();
  const token = await solved(await engine.captcha.challenge('login'));
  const verdicts = await Promise.all(Array.from({ length: 20 }, () => engine.captcha.check(token, 'login')));
  expect(verdicts.filter(Boolean)).toHaveLength(1);
  expect(await engine.captcha.check(token, 'login')).toBe(false);
});

test('a solution in another encoding is the same solution', async () => {
  await using engine = await openEngine();
  const token = await solved(await engine.captcha.challenge('login'));
  const { challenge, solution } = decode(token);
  expect(await engine.captcha.check(token, 'login')).toBe(true);
  for (const again of [
    encode({ solution, challenge }),
    encode({ challenge: { ...challenge, more: 1 }, solution: { ...solution, time: 1 } }),
    `${token}==`,
  ])
    expect(await engine.captcha.check(again, 'login')).toBe(false);
});

test('a solution is valid for its action only, and a wrong action does not use it up', async () => {
  await using engine = await openEngine();
  const token = await solved(await engine.captcha.challenge('login'));
  expect(await engine.captcha.check(token, 'create_account')).toBe(false);
  expect(await engine.captcha.check(token, 'login')).toBe(true);
});

test('a solution is valid for ten minutes', async () => {
  await using engine = await openEngine();
  const [inTime, late] = [await engine.captcha.challenge('login'), await engine.captcha.challenge('login')];
  engine.advance(minutes(10) - 1);
  expect(await engine.captcha.check(await solved(inTime), 'login')).toBe(true);
  engine.advance(1);
  expect(await engine.captcha.check(await solved(late), 'login')).toBe(false);
});

test('changed, incomplete and malformed tokens are refused', async () => {
  await using engine = await openEngine();
  const token = await solved(await engine.captcha.challenge('login'));
  const { challenge, solution } = decode(token);
  const { parameters } = challenge;
  const withParameters = (change: object) =>
    encode({ challenge: { ...challenge, parameters: { ...parameters, ...change } }, solution });
  const forged: (string | undefined)[] = [
    undefined,
    '',
    encode(null),
    encode({ challenge }),
    encode({ challenge: { ...challenge, signature: '' }, solution }),
    encode({ challenge, solution: { ...solution, counter: solution.counter + 1 } }),
    encode({ challenge, solution: { ...solution, derivedKey: '0000' } }),
    withParameters({ data: { ...parameters.data, until: Number(parameters.data?.['until']) + 1 } }),
    withParameters({ data: { action: 'login' } }),
    withParameters({ keyPrefix: '' }),
    withParameters({ cost: 0 }),
    withParameters({ algorithm: 'PBKDF2/SHA-256' }),
    withParameters({ data: { ...parameters.data, action: 'create_account' } }),
    withParameters({ memoryCost: 1e9 }),
  ];
  for (const [at, wrong] of forged.entries())
    expect(await engine.captcha.check(wrong, 'login'), `forgery ${at}`).toBe(false);
  expect(await engine.captcha.check(token, 'login')).toBe(true);
});
