import { maskSecretsIn } from '@holdfast/contract/src/mask-secrets.ts';

/** Sentry's envelope, the format of a report: headers, and items that each have headers. */
interface Envelope {
  readonly 0: object;
  readonly 1: readonly (readonly [object, unknown])[];
}

/** Returns the envelope with all text masked. Binary items are dropped, because they cannot be masked. */
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

/** A recording consists of lines of JSON. */
function maskRecording(text: string): string {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.stringify(maskSecretsIn<unknown>(JSON.parse(line)))).join('\n');
}
