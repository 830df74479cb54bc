import { readSite } from './read-site.ts';

export const site = readSite(document.getElementById('site')?.textContent ?? '');

/** The content security policy requires this nonce on every style element that a library adds to the page. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
