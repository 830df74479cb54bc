import { Monitor, Moon, Sun } from 'lucide-react';
import { useId, useSyncExternalStore } from 'react';

const themeChoices = ['light', 'dark', 'system'] as const;
type ThemeChoice = (typeof themeChoices)[number];

export function ThemeSwitch() {
  const [choice, setChoice] = useTheme();
  const group = useId();
  return (
    <fieldset className="inline-flex w-fit rounded-m border border-line bg-surface p-0.5">
      <legend className="sr-only">Theme</legend>
      {themeChoices.map((theme) => (
        <label key={theme} title={names[theme]} className={option}>
          <input
            type="radio"
            name={group}
            className="absolute inset-0 cursor-pointer appearance-none rounded-[6px]"
            checked={choice === theme}
            onChange={() => setChoice(theme)}
          />
          <span className="sr-only">{names[theme]}</span>
          {icons[theme]}
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
const listeners = new Set<() => void>();
let chosen: ThemeChoice = storedChoice();

systemIsDark.addEventListener('change', paint);

function useTheme(): readonly [ThemeChoice, (next: ThemeChoice) => void] {
  return [useSyncExternalStore(subscribe, () => chosen), choose];
}

function choose(next: ThemeChoice): void {
  chosen = next;
  try {
    if (next === 'system') localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, next);
  } catch {
    // Storage can be forbidden; the choice then lasts until the page is closed.
  }
  paint();
  for (const listener of listeners) listener();
}

function paint(): void {
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

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
