import { useId } from 'react';
import { holdPlace } from './hold-place.ts';
import { languageNames, languages, useLanguage } from './language.ts';

/** One for the whole page. */
export function LanguageSwitch() {
  const [chosen, choose] = useLanguage();
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
            onChange={() => holdPlace(() => choose(language))}
          />
          {languageNames[language]}
        </label>
      ))}
    </fieldset>
  );
}

const option =
  'relative flex h-7 flex-1 items-center justify-center rounded-[6px] px-2 text-s text-muted hover:text-ink has-checked:bg-sea-wash has-checked:font-medium has-checked:text-ink sm:px-3 phone:h-11';
