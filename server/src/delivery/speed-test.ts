import { speedTestLimits } from '@holdfast/contract/src/limits.ts';
import { speedTestBytes, speedTestTiers } from '@holdfast/contract/src/public-files.ts';
import { randomBytes } from 'node:crypto';
import type { LinkContext } from '../context.ts';
import { take } from '../http/rate-limits.ts';
import { publicPolicy } from '../http/response-headers.ts';
import { createKeyedCount } from '../lib/keyed-count.ts';
import { type FileResponse, type HeaderList, textResponse } from './file-response.ts';
import { createRefuse, tooManyTests } from './refusals.ts';
import { ClientGone, repeatedBytes, sendFromMemory, sendResponse } from './send-response.ts';
import type { LinkRequest } from './serve-link.ts';
import type { Throttle } from './throttle.ts';

export interface SpeedTestRequest extends Pick<LinkRequest, 'raw' | 'response' | 'client'> {
  readonly tier: unknown;
}

/** Random bytes cannot be compressed in transit. */
export function createSpeedTest(context: LinkContext, throttle: Throttle): (run: SpeedTestRequest) => Promise<void> {
  const source = repeatedBytes(randomBytes(1024 * 1024));
  const { config, log } = context;
  const running = createKeyedCount<string>();
  const refuse = createRefuse(config);
  return async ({ raw, response, tier, client }) => {
    const method = raw.method ?? 'GET';
    const level = speedTestTiers.find((each) => each === tier);
    if (!level) return sendFromMemory(response, textResponse(method, 400, chooseTier, policy));
    if (method === 'HEAD') return sendFromMemory(response, { ...wholeTest, pieces: [] });
    if (running.of(client) >= speedTestLimits.atOnce) return refuse(raw, response, tooManyTests(untilOneEndsSeconds));
    running.add(client);
    try {
      const { allowed, retryAfterSeconds } = await take(context, 'speed tests', client);
      if (!allowed) return refuse(raw, response, tooManyTests(retryAfterSeconds));
      using pace = throttle.open(client, 'speed test', config.plans[level]);
      await sendResponse(response, wholeTest, { source, pace, onStart: () => {} });
    } catch (error) {
      if (!(error instanceof ClientGone)) log.error({ err: error }, 'a speed test failed');
      raw.socket.resetAndDestroy();
    } finally {
      running.remove(client);
    }
  };
}

const untilOneEndsSeconds = 10;

/** Each run must transfer over the network again. */
const policy: HeaderList = publicPolicy.with(publicPolicy.indexOf('Cache-Control') + 1, 'no-store');

const wholeTest: FileResponse = {
  status: 200,
  headers: [
    ...policy,
    ...Object.entries({
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': 'attachment; filename="250MB.bin"',
      'Accept-Ranges': 'none',
      'Content-Length': String(speedTestBytes),
    }).flat(),
  ],
  pieces: [{ start: 0, end: speedTestBytes - 1 }],
  sendsFirstByte: true,
};

const chooseTier = `Choose the plan whose speed to test: ?tier=${speedTestTiers.join(' or ?tier=')}.`;
