import { solveChallenge } from 'altcha-lib';
import { deriveCaptchaKey } from './derive-key.ts';

export type Challenge = Parameters<typeof solveChallenge>[0]['challenge'];
/** Null if no solution was found in time. */
export type Answer = Awaited<ReturnType<typeof solveChallenge>>;

self.onmessage = async ({ data }: MessageEvent<Challenge>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
  self.postMessage(await solveChallenge({ challenge: data, deriveKey: deriveCaptchaKey }));
};
