/**
 * A process that uploads a file of `BYTES` bytes for `EMAIL`, with the `Idempotency-Key` in `KEY` if there is one, and
 * is killed just before its commit, when all statements of the transaction are done.
 */
import { pino } from 'pino';
import { readConfig } from '../../src/config/read-environment.ts';
import { openContext } from '../../src/context.ts';
import { upload } from '../../src/uploads/keep.ts';
import { readUploadKey } from '../../src/uploads/idempotency-key.ts';
import { beforeCommits } from './before-transactions.ts';
import { keyCaller } from './key-caller.ts';
import { onePart } from './one-part.ts';

const context = await openContext(readConfig({ ...process.env }), pino({ level: 'silent' }));
const caller = await keyCaller({ context }, { email: process.env['EMAIL'] ?? '' });
const db = beforeCommits(context.db, () => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
});
const bytes = Buffer.alloc(Number(process.env['BYTES']), 'x');
const key = readUploadKey(caller.account.id, process.env['KEY'] || undefined);
await upload({ ...context, db }, { forget() {} }, caller, onePart(bytes), { key });
