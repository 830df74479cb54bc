import type { SampleFacts } from '@holdfast/contract/src/api-samples.ts';
import { shareXText } from '@holdfast/contract/src/sharex.ts';

/** Made in the browser: the key in it never travels. */
export function saveShareXFile(name: string, facts: SampleFacts): void {
  const url = URL.createObjectURL(new Blob([shareXText(name, facts)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name}.sxcu`;
  link.click();
  URL.revokeObjectURL(url);
}
