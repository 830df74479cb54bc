import { filenameLength } from '@holdfast/contract/src/rules.ts';
import { randomText } from '../lib/random-text.ts';

const triesAtOneLength = 4;

/**
 * Names to try for a new file, each as long as the owner wants. After three collisions the name grows by one, so a
 * short length that is nearly used up costs a character and not the upload (decisions section 4).
 */
export function* nameCandidates(preferredLength: number): Generator<string> {
  const wanted = preferredLength >= filenameLength.min ? preferredLength : filenameLength.default;
  for (let length = wanted; ; length += 1) {
    for (let tries = 0; tries < triesAtOneLength; tries += 1) yield randomText(length);
  }
}
