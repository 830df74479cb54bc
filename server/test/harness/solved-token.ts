import type { CaptchaAction, CaptchaChallenge } from '@holdfast/contract/src/endpoints.ts';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import type { Challenge } from 'altcha-lib/types';
import { type Browser, openBrowser } from './browser.ts';
import type { TestServer } from './start-server.ts';

/** Requests a bot check and solves it, as a browser does. */
export async function solvedToken(
  server: Pick<TestServer, 'url'>,
  action: CaptchaAction,
  { client }: Pick<Browser, 'client'> = openBrowser(server),
): Promise<string> {
  const { captcha } = await client.captchaChallenge({ query: { action } });
  return solve(captcha);
}

async function solve(captcha: CaptchaChallenge): Promise<string> {
  if (captcha.kind !== 'altcha') throw new Error(`the bot check is ${captcha.kind}`);
  const challenge = captcha.challenge as unknown as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}
