import * as z from 'zod/mini';

export const unfinishedUpload = z.object({
  /** Its address in the protocol of uploads that resume. */
  path: z.string(),
  original_name: z.string(),
  size: z.int().check(z.nonnegative()),
  stored: z.int().check(z.nonnegative()),
  /** When the file was last changed on its owner's device, if the client said so. */
  modified: z.nullable(z.iso.datetime()),
  /** What the client made of the file's first bytes, if it did. */
  fingerprint: z.nullable(z.string()),
  expires: z.iso.datetime(),
});
export type UnfinishedUpload = z.infer<typeof unfinishedUpload>;
