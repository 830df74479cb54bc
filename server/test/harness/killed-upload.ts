/**
 * A process that uploads a file of `BYTES` bytes for `EMAIL` and is killed the moment before its commit, when all
 * statements of the transaction are done.
 */
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { upload } from '../../src/files/upload.ts';
import { keyCaller } from './key-caller.ts';
import { onePart } from './one-part.ts';
import { watchStatements } from './watched-statements.ts';

const context = await openContext(readConfig({ ...process.env }), pino({ level: 'silent' }));
const caller = await keyCaller({ context }, { email: process.env['EMAIL'] ?? '' });
const db = watchStatements(context.db, {
  async after(statement) {
    if (statement !== 'InsertQueryNode files') return;
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => {});
  },
});
const bytes = Buffer.alloc(Number(process.env['BYTES']), 'x');
await upload({ ...context, db }, { forget() {} }, caller, onePart(bytes));
