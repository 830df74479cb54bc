import { linkForms } from '../../../lib/link-forms.ts';
import type { Finished } from './selectors.ts';

export const linkFormats = ['Plain text', 'Markdown', 'JSON'] as const;
export type LinkFormat = (typeof linkFormats)[number];

export function allLinks(files: readonly Finished[], format: LinkFormat): string {
  if (format === 'JSON')
    return JSON.stringify(
      files.map(({ name, url }) => ({ name, url })),
      null,
      2,
    );
  if (format === 'Markdown') return files.map((file) => `- ${linkForms.Markdown(file)}`).join('\n');
  return files.map(({ url }) => url).join('\n');
}
