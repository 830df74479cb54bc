import { DatabaseReadOnly, OtherSchema } from '../engines/database/database.ts';
import { OtherPlace } from '../engines/database/moves.ts';
import { DeletionsPaused } from '../maintenance/clock-guard.ts';
import { DeletionLimitExceeded } from '../maintenance/deletion-limit.ts';
import { OtherStorage } from '../engines/blobs/storage-owner.ts';
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
