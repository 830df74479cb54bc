import { readSite } from './read-site.ts';

export const site = readSite(document.getElementById('site')?.textContent ?? '');
