import { pages } from '@holdfast/contract/src/pages.ts';
import type { Config } from '../config/config.ts';

export const sitePages = ({ site }: Pick<Config, 'site'>): ReadonlySet<string> =>
  site.pricing ? pages : new Set([...pages].filter((path) => path !== '/plan-pricing'));

export interface PageFacts {
  readonly title: string;
  readonly description: string;
}

/** The titles match those that the pages set themselves. */
export function pageFacts(config: Pick<Config, 'site' | 'plans' | 'signUp'>): ReadonlyMap<string, PageFacts> {
  const shown = new Set(sitePages(config));
  if (config.signUp === 'invite' || config.signUp === 'closed') shown.delete('/sign-up');
  return new Map(allFacts(config).filter(([path]) => shown.has(path)));
}

const allFacts = ({ site: { claims, pricing }, plans }: Pick<Config, 'site' | 'plans'>): [string, PageFacts][] =>
  Object.entries({
    '/': [
      'Home',
      claims?.lead ?? 'Upload a file, get one public link, and keep it. No compression, no watermark, no ads.',
    ],
    '/about-us': [
      'About Us',
      'What this file host is for, how it treats your files, and what it promises about every link.',
    ],
    '/speed-test': [
      'Speed Test',
      `Measure how fast files${pricing ? ' of each plan' : ''} come from this server to you.`,
    ],
    '/plan-pricing': [
      'Pricing',
      `Plans from ${plans.free.name} to ${plans.power.name}: space, number of files, largest file and download speed side by side.`,
    ],
    '/api-docs': [
      'API Docs',
      'Upload, list and delete files with one key over HTTP: every call, parameter, answer and error.',
    ],
    '/faqs': [
      'FAQs',
      `Answers about limits, formats, deletion, link domains, the API key${pricing ? ', plans' : ''} and accounts.`,
    ],
    '/terms-of-service': ['Terms of Service', 'The rules for using this file host.'],
    '/privacy-policy': ['Privacy Policy', 'What is stored about you and your files, why, and for how long.'],
    '/dmca-policy': ['DMCA Policy', 'How to report a file that infringes a copyright, and how to answer a report.'],
    '/sign-in': ['Sign In', 'Sign in to your files.'],
    '/sign-up': [
      'Sign Up',
      `${pricing ? 'Make a free account' : 'Make an account'} and get a public link for every file.`,
    ],
  } satisfies Record<string, [string, string]>).map(([path, [title, description]]) => [path, { title, description }]);
