import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Memory } from '../accounts/close-account.ts';
import type { Context } from '../context.ts';
import { clockSkew, days } from '../lib/clock.ts';
import { quarantine } from './quarantine.ts';
import type { Received } from './receive-form.ts';
import { refuseBlocked } from './refuse-blocked.ts';
import { scanInTime } from './scan-in-time.ts';

/** What is known of the bytes of an upload when it commits. */
export interface Scanned {
  readonly state: 'unscanned' | 'pending' | 'clean' | 'unscannable';
  /** 0 is never. */
  readonly at: number;
}

/** A verdict on equal bytes counts for so long. */
const cleanFor = days(1);

/**
 * Looks for malware in what was received. Infected bytes are blocked, and taken from whoever has them already; the
 * caller removes those of this upload.
 * @throws {Failure} UPLOAD_MALWARE, UPLOAD_BLOCKED.
 */
export async function scanUpload(context: Context, memory: Memory, received: Received): Promise<Scanned> {
  const { db, scanner, clock, log } = context;
  if (!scanner.scans) return { state: 'unscanned', at: 0 };
  await refuseBlocked(db, received.sha256);
  const cleanAt = await lastFoundClean(context, received.sha256);
  if (cleanAt !== null) return { state: 'clean', at: cleanAt };
  const verdict = await scanInTime(context, received);
  if (verdict === null) return { state: 'pending', at: 0 };
  if (verdict.kind === 'infected') {
    log.warn({ sha256: received.sha256, signature: verdict.signature }, 'an upload was refused as malware');
    await quarantine(context, memory, received, verdict.signature);
    throw new Failure('UPLOAD_MALWARE');
  }
  return { state: verdict.kind, at: clock.now() };
}

async function lastFoundClean({ db, clock }: Context, sha256: string): Promise<number | null> {
  const now = clock.now();
  const blob = await db
    .selectFrom('blobs')
    .select('scanned_at')
    .where('sha256', '=', sha256)
    .where('scan_state', '=', 'clean')
    .where('scanned_at', '>', now - cleanFor)
    .where('scanned_at', '<=', now + clockSkew)
    .executeTakeFirst();
  return blob?.scanned_at ?? null;
}
