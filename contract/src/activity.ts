import * as z from 'zod/mini';
import { oneOf, queryCount, queryNumber } from './files.ts';
import { activityEvents, autoDeleteDays } from './limits.ts';

export type ActivityEvent = (typeof activityEvents)[number];

export const activityEntry = z.object({
  event: z.enum(activityEvents),
  /** The name in the file's former link. */
  name: z.string(),
  original_name: z.string(),
  /** Of all files. */
  size: z.int().check(z.nonnegative()),
  /** More than one in an entry that counts the files of an hour, and names the first. */
  files: z.int().check(z.positive()),
  /** The upload that the files were evicted for; empty if there were several, or for other events. */
  cause: z.string(),
  happened: z.iso.datetime(),
});
export type ActivityEntry = z.infer<typeof activityEntry>;

export const activityQuery = z.object({
  page: z._default(queryNumber('page', 1_000_000_000), 1),
  limit: z._default(queryNumber('limit', 100), 50),
  /** Only entries of this event. */
  event: z.optional(z.enum(activityEvents, `'event' must be one of ${oneOf(activityEvents)}`)),
});

/** Accepts any value of the setting: the app queries files of that age before it saves the setting. */
export const inactiveFilesQuery = z.object({ days: queryNumber('days', autoDeleteDays.max) });

/** What is to be uploaded; without it, the preview is of all files that may be evicted. */
export const evictionQuery = z.object({
  bytes: z.optional(queryCount('bytes')),
  files: z.optional(queryCount('files')),
});

export const previewedFile = z.object({
  name: z.string(),
  original_name: z.string(),
  size: z.int().check(z.nonnegative()),
  time_added: z.iso.datetime(),
});
export type PreviewedFile = z.infer<typeof previewedFile>;

export const deletionPreview = z.object({
  /** The first ones. */
  files: z.array(previewedFile),
  total: z.int(),
  /** Bytes of all of them. */
  size: z.int(),
});
export type DeletionPreview = z.infer<typeof deletionPreview>;

/** What Continuous Uploading deleted for an upload. */
export const evicted = z.object({
  total: z.int(),
  size: z.int(),
  /** Original names of the first ones. */
  names: z.array(z.string()),
});
export type Evicted = z.infer<typeof evicted>;
