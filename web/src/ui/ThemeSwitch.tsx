import { Monitor, Moon, Sun } from 'lucide-react';
import { useId } from 'react';
import { openStore, useStore } from '../lib/store.ts';

const themeChoices = ['light', 'dark', 'system'] as const;
type ThemeChoice = (typeof themeChoices)[number];

export function ThemeSwitch() {
  const choice = useStore(theme);
  const group = useId();
  return (
    <fieldset className="inline-flex w-fit rounded-m border border-line bg-surface p-0.5">
      <legend className="sr-only">Theme</legend>
      {themeChoices.map((each) => (
        <label key={each} title={names[each]} className={option}>
          <input
            type="radio"
            name={group}
            className="absolute inset-0 cursor-pointer appearance-none rounded-[6px]"
            checked={choice === each}
            onChange={() => choose(each)}
          />
          <span className="sr-only">{names[each]}</span>
          {icons[each]}
        </label>
      ))}
    </fieldset>
  );
}

const names = { light: 'Light', dark: 'Dark', system: 'System' } satisfies Record<ThemeChoice, string>;
const icons = {
  light: <Sun aria-hidden />,
  dark: <Moon aria-hidden />,
  system: <Monitor aria-hidden />,
} satisfies Record<ThemeChoice, unknown>;
const option =
  'relative grid size-7 place-items-center rounded-[6px] text-muted hover:text-ink has-checked:bg-sea-wash has-checked:text-ink phone:size-11 [&_svg]:size-[15px]';

/** theme.js reads it too, before the first paint. */
const storageKey = 'theme';
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const theme = openStore<ThemeChoice>(storedChoice());

systemIsDark.addEventListener('change', paint);

function choose(next: ThemeChoice): void {
  theme.set(next);
  try {
    if (next === 'system') localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, next);
  } catch {
    // Storage can be forbidden; the choice then lasts until the page is closed.
  }
  paint();
}

function paint(): void {
  const chosen = theme.read();
  const dark = chosen === 'dark' || (chosen === 'system' && systemIsDark.matches);
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
}

function storedChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(storageKey);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}
