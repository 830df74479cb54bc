import type { SampleFacts } from '@holdfast/contract/src/api-docs/fill-sample.ts';
import { shareXText } from '@holdfast/contract/src/api-docs/sharex.ts';
import { site } from '../../lib/site.ts';

/** Builds the file in the browser, so that the key in it is never sent. */
export function saveShareXFile(facts: SampleFacts): void {
  const url = URL.createObjectURL(new Blob([shareXText(site.name, facts)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${site.name}.sxcu`;
  link.click();
  URL.revokeObjectURL(url);
}
