import { offerName } from '@holdfast/contract/src/plans.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { StripeConfig } from '../../src/config/config.ts';
import { leaseFor } from '../../src/jobs/lease.ts';
import type { JobResult } from '../../src/jobs/job.ts';
import type { JobProcess } from './job-process.ts';
import type { TestServer } from './start-server.ts';
import { blobSettings } from './test-blobs.ts';

const entry = fileURLToPath(new URL('./job-process.ts', import.meta.url));

/** Runs a job in its own process, on the server's database and storage. Returns null if it was not its turn. */
export async function startJob(
  server: TestServer,
  job: string,
  killAt: number | null = null,
): Promise<JobResult | null | 'killed'> {
  const { database, payments, blobs } = server.context.config;
  const asked: JobProcess = {
    environment: {
      DATA_DIR: server.dataDir,
      CAPTCHA: 'none',
      ...blobSettings(blobs),
      ...(database.engine === 'postgres' && { DATABASE_URL: database.url }),
      ...(payments.engine === 'stripe' && stripeVariables(payments)),
    },
    job,
    now: server.clock.now(),
    killAt,
  };
  const child = spawn(process.execPath, [entry, JSON.stringify(asked)], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [said, complained, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null, string | null]>,
  ]);
  if (signal === 'SIGKILL') return 'killed';
  if (code !== 0) throw new Error(complained);
  return JSON.parse(said) as JobResult | null;
}

const stripeVariables = ({ secretKey, webhookSecret, prices, apiUrl }: StripeConfig) => ({
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_PRICES: prices.map(({ id, offer }) => `${offerName(offer)}=${id}`).join(','),
  STRIPE_API_URL: apiUrl,
});

/**
 * Kills a job later each time, by `stride` steps, until it finishes; between two runs the lease of the killed one
 * expires. Returns the number of kills.
 */
export async function killUntilDone(server: TestServer, job: string, stride = 1): Promise<number> {
  // The first step takes the lease.
  for (let killed = 0; ; killed += 1) {
    if ((await startJob(server, job, 2 + killed * stride)) !== 'killed') return killed;
    server.clock.advance(leaseFor);
  }
}
