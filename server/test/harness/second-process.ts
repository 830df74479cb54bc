import { pino } from 'pino';
import { type Context, openContext } from '../../src/context.ts';
import { limitless } from './limitless.ts';
import type { TestServer } from './start-server.ts';

/**
 * The context of another process of the same service: its own engines on the same database and storage. Two connections
 * to SQLite in one thread would wait for each other, so there it shares the first one's; `startJob` starts real
 * processes.
 */
export async function openSecond({ context, clock }: TestServer): Promise<Context> {
  if (context.config.database.engine === 'sqlite') return { ...context, async [Symbol.asyncDispose]() {} };
  return openContext(context.config, pino({ enabled: false }), { clock, mail: context.mail, counters: limitless });
}
