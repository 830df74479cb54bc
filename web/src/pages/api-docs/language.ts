import { sampleLanguages } from '@holdfast/contract/src/api-samples.ts';
import { useSyncExternalStore } from 'react';

/** What the samples can be read in. ShareX takes a file instead of a program. */
export const languages = [...sampleLanguages, 'sharex'] as const;
export type Language = (typeof languages)[number];

export const languageNames = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
  java: 'Java',
  sharex: 'ShareX',
} satisfies Record<Language, string>;

const storageKey = 'api-docs-language';
const listeners = new Set<() => void>();
let language: Language = storedLanguage();

export function useLanguage(): readonly [Language, (next: Language) => void] {
  return [useSyncExternalStore(subscribe, () => language), choose];
}

function choose(next: Language): void {
  language = next;
  try {
    localStorage.setItem(storageKey, next);
  } catch {
    // Storage can be forbidden: the choice lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function storedLanguage(): Language {
  try {
    const stored = localStorage.getItem(storageKey);
    return languages.find((each) => each === stored) ?? 'curl';
  } catch {
    return 'curl';
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
