import { pages } from '@holdfast/contract/src/pages.ts';
import type { Config } from '../config/config.ts';

/** The paths of this site's pages. For any other path the server returns 404 and the not-found page. */
export const sitePages = ({ site }: Pick<Config, 'site'>): ReadonlySet<string> =>
  site.pricing ? pages : new Set([...pages].filter((path) => path !== '/plan-pricing'));

/** Title and description of a public page, for search engines and link previews. */
export interface PageFacts {
  /** As shown in the tab, without the site's name. */
  readonly title: string;
  readonly description: string;
}

/** Returns the facts of this site's public pages. The titles match those that the pages set themselves. */
export function pageFacts(config: Pick<Config, 'site' | 'plans' | 'signUp'>): ReadonlyMap<string, PageFacts> {
  const shown = new Set(sitePages(config));
  // Nobody can sign up there who has not been given a link.
  if (config.signUp === 'invite' || config.signUp === 'closed') shown.delete('/sign-up');
  return new Map(allFacts(config).filter(([path]) => shown.has(path)));
}

const allFacts = ({ site: { claims, pricing }, plans }: Pick<Config, 'site' | 'plans'>): [string, PageFacts][] => [
  [
    '/',
    {
      title: 'Home',
      description:
        claims?.lead ?? 'Upload a file, get one public link, and keep it. No compression, no watermark, no ads.',
    },
  ],
  [
    '/about-us',
    {
      title: 'About Us',
      description: 'What this file host is for, how it treats your files, and what it promises about every link.',
    },
  ],
  [
    '/speed-test',
    {
      title: 'Speed Test',
      description: 'Measure how fast files of each plan come from this server to you.',
    },
  ],
  [
    '/plan-pricing',
    {
      title: 'Pricing',
      description: `Plans from ${plans.free.name} to ${plans.power.name}: space, number of files, largest file and download speed side by side.`,
    },
  ],
  [
    '/api-docs',
    {
      title: 'API Docs',
      description: 'Upload, list and delete files with one key over HTTP: every call, parameter, answer and error.',
    },
  ],
  [
    '/faqs',
    {
      title: 'FAQs',
      description: `Answers about limits, formats, deletion, link domains, the API key${pricing ? ', plans' : ''} and accounts.`,
    },
  ],
  ['/terms-of-service', { title: 'Terms of Service', description: 'The rules for using this file host.' }],
  [
    '/privacy-policy',
    { title: 'Privacy Policy', description: 'What is stored about you and your files, why, and for how long.' },
  ],
  [
    '/dmca-policy',
    {
      title: 'DMCA Policy',
      description: 'How to report a file that infringes a copyright, and how to answer a report.',
    },
  ],
  ['/sign-in', { title: 'Sign In', description: 'Sign in to your files.' }],
  [
    '/sign-up',
    {
      title: 'Sign Up',
      description: `${pricing ? 'Make a free account' : 'Make an account'} and get a public link for every file.`,
    },
  ],
];
