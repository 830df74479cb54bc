import { DatabaseReadOnly, OtherSchema } from '../storage/db/database.ts';
import { OtherPlace } from '../storage/db/moves.ts';
import { DeletionsPaused } from '../jobs/clock-guard.ts';
import { DeletionLimitExceeded } from '../jobs/deletion-limit.ts';
import { OtherStorage } from '../storage/blobs/storage-owner.ts';
import { UnusableBackup } from './backup/manifest.ts';
import { UnusableMove } from './move/unusable-move.ts';

/** Errors whose message is one or two sentences that an operator can act on. */
export const knownErrors = [
  OtherSchema,
  OtherPlace,
  DatabaseReadOnly,
  DeletionsPaused,
  DeletionLimitExceeded,
  UnusableBackup,
  UnusableMove,
  OtherStorage,
] as const;
