/**
 * Titles and descriptions of the public pages, for search engines and link previews. The titles match those that the
 * pages set themselves.
 */
export interface PageFacts {
  /** As shown in the tab, without the site's name. */
  readonly title: string;
  readonly description: string;
}

export const pageFacts: ReadonlyMap<string, PageFacts> = new Map([
  [
    '/',
    {
      title: 'Home',
      description: 'Upload a file, get one public link, and keep it. No compression, no watermark, no ads.',
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
      description: 'Plans from Free to Power: space, number of files, largest file and download speed side by side.',
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
      description: 'Answers about limits, formats, deletion, link domains, the API key, plans and accounts.',
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
  ['/sign-up', { title: 'Sign Up', description: 'Make a free account and get a public link for every file.' }],
]);
