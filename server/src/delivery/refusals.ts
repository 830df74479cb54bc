import { errorCatalog } from '@holdfast/contract/src/errors.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { unavailableFor } from '../http/failures.ts';
import type { HoldReason } from '../storage/db/schema.ts';
import { type FileResponse, textResponse, withHeader } from './file-response.ts';
import { createErrorPage, type PageText, type SiteOfPage, wantsPage } from './error-page.ts';
import { sendFromMemory } from './send-response.ts';

export interface Refusal {
  readonly status: number;
  /** For programs. */
  readonly sentence: string;
  readonly retryAfterSeconds?: number;
  /** For browsers, where people may see it. */
  readonly page?: PageText;
}

export type Refuse = (request: IncomingMessage, response: ServerResponse, refusal: Refusal) => void;

export function createRefuse(config: SiteOfPage): Refuse {
  const errorPage = createErrorPage(config);
  return (request, response, refusal) => {
    const { page, retryAfterSeconds } = refusal;
    const isPage = page !== undefined && wantsPage(request.headers.accept);
    const answer = isPage ? errorPage(request.method, refusal.status, page) : textOf(request.method, refusal);
    sendFromMemory(
      response,
      retryAfterSeconds === undefined ? answer : withHeader(answer, 'Retry-After', String(retryAfterSeconds)),
    );
  };
}

function textOf(method: string | undefined, { status, sentence, page }: Refusal): FileResponse {
  const text = textResponse(method ?? 'GET', status, sentence);
  return page ? withHeader(text, 'Vary', 'Accept') : text;
}

const pageReload = 15;
const reloading = (seconds: number) => `This page checks again every ${seconds} seconds.`;

const missing = (page: PageText): Refusal => ({ status: 404, sentence: 'There is no such file.', page });

export const noSuchFile = missing({
  heading: 'This file doesn’t exist or was deleted.',
  text: 'Check the link for typos, or ask the person who shared it for a new one.',
});

export const withheld: Readonly<Record<HoldReason, Refusal>> = {
  malware: missing({
    heading: 'This file was removed because a scan found malware in it.',
    text: 'If you downloaded it before, don’t open it: delete it and scan your device.',
  }),
  takedown: missing({
    heading: 'This file was removed after a complaint.',
    text: 'If it is your file, we have emailed you about it.',
  }),
};

export const notOnFileHost = missing({
  heading: 'There’s nothing here.',
  text: 'This address only serves files. The link to a file is longer.',
});

export const scriptUseRefused: Refusal = {
  status: 403,
  sentence: 'Files cannot be used as scripts of this site.',
};

export const unreadable: Refusal = {
  status: 500,
  sentence: 'The file cannot be read at the moment. Its owner or the operator of this site can help.',
  page: {
    heading: 'This file cannot be read right now.',
    text: 'Something is wrong on our side. Try again later, or tell the person who shared it.',
  },
};

export const beingChecked: Refusal = {
  status: 503,
  sentence: 'This file is being checked for malware. Try again in a moment.',
  retryAfterSeconds: pageReload,
  page: {
    heading: 'This file is being checked for malware.',
    text: `That usually takes less than a minute. ${reloading(pageReload)}`,
    reloadSeconds: pageReload,
  },
};

const hashing = 10;

export const beingHashed: Refusal = {
  status: 503,
  sentence: 'The SHA-1 of this file is being computed. Try again in a moment.',
  retryAfterSeconds: hashing,
  page: {
    heading: 'The SHA-1 of this file is being computed.',
    text: reloading(hashing),
    reloadSeconds: hashing,
  },
};

export const serviceUnavailable: Refusal = {
  status: 503,
  sentence: errorCatalog.UNAVAILABLE.message,
  retryAfterSeconds: unavailableFor,
  page: {
    heading: 'This file is not available right now.',
    text: `Something is wrong on our side. ${reloading(pageReload)}`,
    reloadSeconds: pageReload,
  },
};

export const tooManyTests = (retryAfterSeconds: number): Refusal => ({
  status: 429,
  sentence: `Too many speed tests from your address. Try again in ${retryAfterSeconds} seconds.`,
  retryAfterSeconds,
  page: {
    heading: 'Too many speed tests.',
    text: `Many tests were run from your network. Try again in ${inWords(retryAfterSeconds)}.`,
  },
});

const inWords = (seconds: number) => (seconds <= 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`);

export const tooManyMissed = (retryAfterSeconds: number): Refusal => ({
  status: 429,
  sentence: 'Too many links that do not exist. Slow down and try again.',
  retryAfterSeconds,
  page: {
    heading: 'Too many wrong links.',
    text: 'Many links that don’t exist were opened from your network. Wait a moment, then reload this page.',
  },
});
