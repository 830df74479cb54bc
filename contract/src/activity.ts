/** Events on an account's files that their owner did not cause, shown to the owner. */
import * as z from 'zod/mini';
import { queryNumber } from './files.ts';
import { autoDeleteDays } from './limits.ts';

export const activityEvents = [
  'continuous_uploading',
  'inactivity',
  'dormancy',
  'malware',
  'takedown',
  'restored',
] as const;
export type ActivityEvent = (typeof activityEvents)[number];

export const activityEntry = z.object({
  event: z.enum(activityEvents),
  /** The name in the file's former link. */
  name: z.string(),
  original_name: z.string(),
  /** Bytes. */
  size: z.int().check(z.nonnegative()),
  happened: z.iso.datetime(),
});
export type ActivityEntry = z.infer<typeof activityEntry>;

export const activityQuery = z.object({
  page: z._default(queryNumber('page', 1_000_000_000), 1),
  limit: z._default(queryNumber('limit', 100), 50),
});

/** Accepts any value of the setting: the app queries files of that age before it saves the setting. */
export const inactiveFilesQuery = z.object({ days: queryNumber('days', autoDeleteDays.max) });

/** One of the first files that a rule would delete. */
export const previewedFile = z.object({
  name: z.string(),
  original_name: z.string(),
  /** Bytes. */
  size: z.int().check(z.nonnegative()),
  time_added: z.iso.datetime(),
});
export type PreviewedFile = z.infer<typeof previewedFile>;

/** The first files that a rule would delete, oldest first, and the total number that it would delete. */
export const deletionPreview = z.object({ files: z.array(previewedFile), total: z.int() });
export type DeletionPreview = z.infer<typeof deletionPreview>;
