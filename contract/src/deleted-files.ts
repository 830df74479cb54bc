import * as z from 'zod/mini';

const deletedFile = z.object({
  name: z.string(),
  original_name: z.string(),
  extension: z.string(),
  size: z.int().check(z.nonnegative()),
  /** The owner, or a rule of the account. What moderation removed is not here. */
  reason: z.enum(['owner', 'continuous_uploading', 'inactivity', 'dormancy']),
  deleted: z.iso.datetime(),
});
export type DeletedFile = z.infer<typeof deletedFile>;

export const deletedFiles = z.object({
  /** The newest first. */
  files: z.array(deletedFile),
  /** There are older ones. */
  more: z.boolean(),
});
export type DeletedFiles = z.infer<typeof deletedFiles>;
