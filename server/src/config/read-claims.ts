/** Reads what the pages claim about the service. */
import type { SiteClaims } from '@holdfast/contract/src/site-claims.ts';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod/mini';
import type { Config } from './config.ts';
import { ConfigError, UnusableSetting } from './setting-errors.ts';

type Found = (variable: string) => string | null;

/**
 * Reads `SITE_SINCE`, `SITE_CLAIMS` and `PRICING`. A site with a year of its own, or without prices, is not the service
 * of the standard claims, so it makes them only if the operator says so.
 * @throws {ConfigError}
 * @throws {UnusableSetting} if the file of SITE_CLAIMS cannot be read, or something in it is wrong.
 */
export function readClaims(read: Found): Pick<Config['site'], 'since' | 'claims' | 'pricing'> {
  const since = readSince(read('SITE_SINCE'));
  const pricing = readPricing(read('PRICING'), read('STRIPE_SECRET_KEY'));
  const claims = read('SITE_CLAIMS') ?? (since === null && pricing ? 'standard' : 'none');
  if (claims !== 'standard') return { since, claims: claims === 'none' ? {} : readFile(claims), pricing };
  // The standard claims name their own years.
  if (since !== null) throw new ConfigError('SITE_SINCE', String(since), 'not set while SITE_CLAIMS is standard');
  return { since, claims: null, pricing };
}

function readSince(found: string | null): number | null {
  if (found === null) return null;
  const thisYear = new Date().getFullYear();
  const since = Number(found);
  if (!/^\d{4}$/.test(found) || since < 1970 || since > thisYear)
    throw new ConfigError('SITE_SINCE', found, `a year from 1970 to ${thisYear}`);
  return since;
}

function readPricing(found: string | null, stripeKey: string | null): boolean {
  if (found !== null && found !== 'on' && found !== 'off') throw new ConfigError('PRICING', found, 'on or off');
  // Buyers must find the prices, and subscribers what they pay for.
  if (found === 'off' && stripeKey !== null)
    throw new ConfigError('PRICING', found, 'on while STRIPE_SECRET_KEY is set');
  return found !== 'off';
}

function readFile(found: string): SiteClaims {
  try {
    return parseClaims(readFileSync(resolve(found), 'utf8'));
  } catch (error) {
    throw new UnusableSetting('SITE_CLAIMS', error);
  }
}

const line = (most: number) => {
  const error = `must be a text of 1 to ${most} characters in one line`;
  return z.string({ error }).check(z.trim(), z.regex(/^[^\p{Cc}]+$/u, { error }), z.maxLength(most, { error }));
};
const paragraphs = listOf(line(2_000), 'must be a list of 1 to 20 texts', 20);
const figure = z.tuple([line(24), line(80)], { error: 'must be a figure and what it counts, as two texts' });

function listOf<Item extends z.ZodMiniType>(item: Item, error: string, most: number) {
  return z.optional(z.array(item, { error }).check(z.minLength(1, { error }), z.maxLength(most, { error })));
}

const claimsFile = z.strictObject(
  {
    title: z.optional(line(80)),
    lead: z.optional(line(300)),
    home: paragraphs,
    about: paragraphs,
    figures: listOf(figure, 'must be a list of 1 to 4 figures', 4),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `does not know '${issue.keys?.[0] ?? ''}'` : 'must be an object',
  },
);

/** @throws {Error} whose message names the first member that is wrong and what it must be. */
function parseClaims(text: string): SiteClaims {
  const { success, data, error } = claimsFile.safeParse(parseJson(text));
  if (success) return data;
  const [{ path, message } = { path: [], message: 'is wrong' }] = error.issues;
  throw new Error(`${path.length === 0 ? 'the file' : path.join('.')} ${message}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`the file is not JSON: ${(error as Error).message}`, { cause: error });
  }
}
