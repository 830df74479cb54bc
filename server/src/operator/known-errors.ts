import { OtherSchema } from '../engines/database/database.ts';
import { ClockInDoubt } from '../maintenance/clock-hold.ts';
import { DeletionLimitExceeded } from '../maintenance/deletion-limit.ts';
import { OtherStorage } from '../maintenance/storage-owner.ts';
import { UnreadableLines } from './backup/lines-file.ts';
import { UnusableBackup } from './backup/manifest.ts';

/** Errors whose message is one or two sentences that an operator can act on. */
export const knownErrors = [
  OtherSchema,
  ClockInDoubt,
  DeletionLimitExceeded,
  UnusableBackup,
  UnreadableLines,
  OtherStorage,
] as const;
