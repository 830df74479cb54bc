import { randomText } from '../lib/random-text.ts';

const triesAtOneLength = 4;
const longerNames = 8;

/** After every four collisions the name grows by one. */
export const linkNames = (length: number): string[] =>
  Array.from({ length: longerNames * triesAtOneLength }, (_, at) =>
    randomText(length + Math.floor(at / triesAtOneLength)),
  );
