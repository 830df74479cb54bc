import { filenameLength } from '@holdfast/contract/src/limits.ts';
import { randomText } from '../lib/random-text.ts';

const triesAtOneLength = 4;

/**
 * Generates candidate names for a new file, each as long as the owner wants. After every four collisions the name grows
 * by one character, so that an upload does not fail when a short length is nearly used up.
 */
export function* nameCandidates(preferredLength: number): Generator<string> {
  const wanted = preferredLength >= filenameLength.min ? preferredLength : filenameLength.default;
  for (let length = wanted; ; length += 1) {
    for (let tries = 0; tries < triesAtOneLength; tries += 1) yield randomText(length);
  }
}
