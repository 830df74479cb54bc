import { maskSecretsIn } from '@holdfast/contract/src/mask-secrets.ts';

/** What a report is sent in: facts about it, and items, each with facts of its own (Sentry's envelope). */
interface Envelope {
  readonly 0: object;
  readonly 1: readonly (readonly [object, unknown])[];
}

/** The same with every text masked. What cannot be read stays here. */
export function maskEnvelope<Sent>(envelope: Sent): Sent {
  const [facts, items] = envelope as unknown as readonly [object, Envelope[1]];
  return [facts, items.flatMap(maskItem)] as unknown as Sent;
}

function maskItem([facts, content]: readonly [object, unknown]): (readonly [object, unknown])[] {
  if (typeof content === 'string') {
    const masked = maskRecording(content);
    return [[{ ...facts, length: new TextEncoder().encode(masked).length }, masked]];
  }
  if (ArrayBuffer.isView(content)) return [];
  return [[facts, maskSecretsIn(content)]];
}

/** A recording is lines of JSON. */
function maskRecording(text: string): string {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.stringify(maskSecretsIn<unknown>(JSON.parse(line)))).join('\n');
}
