import { maskSecretsIn } from '@holdfast/contract/src/mask-secrets.ts';
import { createStackParser, createTransport, type Event, linkedErrorsIntegration } from '@sentry/core';
import { nodeStackLineParser, ServerRuntimeClient } from '@sentry/core/server';
import type { Reports } from './reports.ts';

export interface SentryOptions {
  readonly dsn: string;
  readonly sendMs?: number;
  readonly lastMs?: number;
}

const mostPerMinute = 30;
const mostOnTheirWay = 16;

export function openServerSentry({ dsn, sendMs = 5_000, lastMs = 2_000 }: SentryOptions): Reports {
  const client = new ServerRuntimeClient({
    dsn,
    platform: 'node',
    runtime: { name: 'node', version: process.version },
    stackParser: createStackParser(nodeStackLineParser()),
    integrations: [linkedErrorsIntegration()],
    sendClientReports: false,
    beforeSend: onlyTheFailure,
    transport: (options) =>
      createTransport({ ...options, bufferSize: mostOnTheirWay }, async ({ body }) => {
        const bytes = Buffer.from(body);
        const answer = await fetch(options.url, {
          method: 'POST',
          body: bytes,
          redirect: 'manual',
          signal: AbortSignal.timeout(sendMs),
        });
        await answer.body?.cancel();
        return { statusCode: answer.status, headers: restsOf(answer.headers) };
      }),
  });
  client.init();
  const isAllowed = createMinuteLimit();
  return {
    report(error, where) {
      if (!isAllowed()) return;
      const failure = asError(error);
      client.captureException(failure, { originalException: failure, data: { where } });
    },
    async [Symbol.asyncDispose]() {
      await client.close(lastMs);
    },
  };
}

/** An allowlist: nothing else that a library adds is sent. */
function onlyTheFailure(event: Event, hint: { readonly data?: unknown }): Event & { type: undefined } {
  const { event_id, timestamp, platform, level, exception, contexts } = event;
  const { where } = hint.data as { where: string };
  return maskSecretsIn({
    type: undefined,
    ...(event_id !== undefined && { event_id }),
    ...(timestamp !== undefined && { timestamp }),
    ...(platform !== undefined && { platform }),
    ...(level !== undefined && { level }),
    ...(exception && { exception }),
    ...(contexts?.runtime && { contexts: { runtime: contexts.runtime } }),
    tags: { where },
  });
}

function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error(typeof thrown === 'string' ? thrown : `a value other than an Error was thrown: ${typeof thrown}`);
}

const restsOf = (headers: Headers) => ({
  'x-sentry-rate-limits': headers.get('X-Sentry-Rate-Limits'),
  'retry-after': headers.get('Retry-After'),
});

function createMinuteLimit(): () => boolean {
  let minute = 0;
  let count = 0;
  return () => {
    const now = Math.floor(performance.now() / 60_000);
    if (now !== minute) [minute, count] = [now, 0];
    count += 1;
    return count <= mostPerMinute;
  };
}
