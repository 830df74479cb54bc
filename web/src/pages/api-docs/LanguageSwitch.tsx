import { sampleLanguages } from '@holdfast/contract/src/api-docs/samples.ts';
import { useId } from 'react';
import { flushSync } from 'react-dom';
import { openStoredChoice, useStore } from '../../lib/store.ts';

/** Language switch for the whole page. */
export function LanguageSwitch() {
  const chosen = useLanguage();
  const group = useId();
  return (
    <fieldset className="flex rounded-m max-sm:w-full border border-line bg-surface p-0.5">
      <legend className="sr-only">Language of the samples</legend>
      {languages.map((language) => (
        <label key={language} className={option}>
          <input
            type="radio"
            name={group}
            className="absolute inset-0 cursor-pointer appearance-none rounded-[6px]"
            checked={chosen === language}
            onChange={() => holdPlace(() => current.set(language))}
          />
          {languageNames[language]}
        </label>
      ))}
    </fieldset>
  );
}

const option =
  'relative flex h-7 flex-1 items-center justify-center rounded-[6px] px-1 text-s text-muted hover:text-ink has-checked:bg-sea-wash has-checked:font-medium has-checked:text-ink sm:px-3 phone:h-11';

/** Applies a change and keeps the text at its position on the screen, even if content above it grew or shrank. */
function holdPlace(change: () => void): void {
  const read = document.elementFromPoint(innerWidth / 2, belowTheBar)?.closest('figure, li, p, section');
  const before = read?.getBoundingClientRect().top ?? 0;
  flushSync(change);
  scrollBy({ top: (read?.getBoundingClientRect().top ?? 0) - before, behavior: 'instant' });
}

const belowTheBar = 128;

/** Languages of the samples. ShareX takes a configuration file instead of a program. */
const languages = [...sampleLanguages, 'sharex'] as const;
type Language = (typeof languages)[number];

export const languageNames = {
  curl: 'curl',
  sdk: 'SDK',
  javascript: 'JavaScript',
  python: 'Python',
  java: 'Java',
  sharex: 'ShareX',
} satisfies Record<Language, string>;

const current = openStoredChoice<Language>('api-docs-language', languages);

export const useLanguage = (): Language => useStore(current);
