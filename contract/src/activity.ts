/** What happened to an account's files without their owner, for the owner to read: beyond the spec. */
import * as z from 'zod/mini';
import { queryNumber } from './files.ts';

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
  /** The name in the link that the file had. */
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

/** A file that Continuous Uploading would delete before others. */
export const fileToGo = z.object({
  name: z.string(),
  original_name: z.string(),
  /** Bytes. */
  size: z.int().check(z.nonnegative()),
  time_added: z.iso.datetime(),
});
export type FileToGo = z.infer<typeof fileToGo>;
