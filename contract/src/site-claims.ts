import * as z from 'zod/mini';
import { knownMembers, parseJsonFile } from './json-file.ts';

const line = (most: number) => {
  const error = `must be a text of 1 to ${most} characters in one line`;
  return z.string({ error }).check(z.trim(), z.regex(/^[^\p{Cc}]+$/u, { error }), z.maxLength(most, { error }));
};

function listOf<Item extends z.ZodMiniType>(item: Item, error: string, most: number) {
  return z.optional(z.array(item, { error }).check(z.minLength(1, { error }), z.maxLength(most, { error })));
}

const paragraphs = listOf(line(2_000), 'must be a list of 1 to 20 texts', 20);
const figure = z.tuple([line(24), line(80)], { error: 'must be a figure and what it counts, as two texts' });

const siteClaims = z.strictObject(
  {
    title: z.optional(line(80)),
    lead: z.optional(line(300)),
    home: paragraphs,
    about: paragraphs,
    figures: listOf(figure, 'must be a list of 1 to 4 figures', 4),
  },
  knownMembers,
);

export type SiteClaims = z.infer<typeof siteClaims>;

/** @throws {Error} whose message names the first member that is wrong and what it must be. */
export const readSiteClaims = (content: string): SiteClaims => parseJsonFile(siteClaims, content);
