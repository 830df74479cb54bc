import * as z from 'zod/mini';
import { file, storedName } from './files.ts';

export const filePageQuery = z.object({ file: storedName });

const hitsOfDay = z.object({
  /** In UTC. */
  day: z.iso.date(),
  hits: z.int().check(z.positive()),
});
export type HitsOfDay = z.infer<typeof hitsOfDay>;

export const filePage = z.object({
  file,
  /** Of the last 366 days, oldest first, without days that had none. Earlier hits are only in `file.hits`. */
  hits_by_day: z.array(hitsOfDay),
  show_file_extensions: z.boolean(),
  preferred_domain: z.string(),
});
export type FilePage = z.infer<typeof filePage>;
