import { readSite } from './read-site.ts';

export const site = readSite(document.getElementById('site')?.textContent ?? '');

/** True if people without an invitation can sign up, even if they have to wait for approval. */
export const isSignUpOpen = site.signUp === 'open' || site.signUp === 'approval';

/** Terms of the operator's own may say something else about people and accounts. */
export const hasStandardTerms = site.policyTitles['/terms-of-service'] === undefined;

/** The content security policy requires this nonce on every style element that a library adds to the page. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

export const hasContact = site.contactEmail !== null || site.contactChatUrl !== null;
