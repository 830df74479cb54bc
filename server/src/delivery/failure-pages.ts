/** What people see of failures that programs get as a line or as JSON. */
import { apiRoot } from '@holdfast/contract/src/calls.ts';
import type { IncomingMessage } from 'node:http';
import { createErrorPage, pagePolicy, type PageText, pageOf, type SiteOfPage, wantsPage } from './error-page.ts';
import type { FileResponse } from './file-response.ts';

const brokenAddress: PageText = {
  heading: 'This address cannot be read.',
  text: 'Check the link for typos, or ask the person who shared it for a new one.',
};

const later = 'Something is wrong on our side. Try again in a moment.';

const pages: Readonly<Record<number, PageText>> = {
  400: brokenAddress,
  404: { heading: 'There’s nothing here.', text: 'The address doesn’t exist or has moved.' },
  405: { heading: 'This address cannot be used like that.', text: 'Go back, reload the page and try again.' },
  412: {
    heading: 'The file is not the version that was asked for.',
    text: 'Your browser or a download manager asked for another version. Open the link again.',
  },
  416: {
    heading: 'The file does not have that part.',
    text: 'Your browser or a download manager asked for bytes after the end of the file. Start the download again.',
  },
  421: {
    heading: 'There is no site at this address.',
    text: 'Check the address for typos. Its domain may be new, or no longer in use.',
    isNameless: true,
  },
  429: {
    heading: 'Too many requests.',
    text: 'Many requests came from your network. Wait a moment, then reload this page.',
  },
  500: { heading: 'Something went wrong.', text: later },
  503: { heading: 'This page is not available right now.', text: later },
};

/** A browser that shows a response of the API shows it to a developer. */
const isForPeople = ({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): boolean =>
  wantsPage(headers.accept) && !`${url}/`.startsWith(`${apiRoot}/`);

export interface ShownFailure {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type ShowFailure = (
  request: Pick<IncomingMessage, 'url' | 'headers'>,
  status: number,
) => ShownFailure | undefined;

export function createShowFailure(config: SiteOfPage): ShowFailure {
  const { 'Content-Type': type, 'Content-Security-Policy': policy, Vary } = pagePolicy;
  const headers = { 'Content-Type': type, 'Content-Security-Policy': policy, Vary };
  return (request, status) => {
    const page = pages[status];
    return page && isForPeople(request) ? { html: pageOf(config, page), headers } : undefined;
  };
}

/** In place of the line about a range or a condition. */
export function createShowUnmet(config: SiteOfPage): (request: IncomingMessage, decided: FileResponse) => FileResponse {
  const errorPage = createErrorPage(config);
  return (request, decided) => {
    const page = decided.status < 400 ? undefined : pages[decided.status];
    if (!page || !wantsPage(request.headers.accept)) return decided;
    const shown = errorPage(request.method, decided.status, page);
    const at = decided.headers.indexOf('Content-Range');
    return at < 0 ? shown : { ...shown, headers: [...shown.headers, ...decided.headers.slice(at, at + 2)] };
  };
}
