import { Monitor, Moon, Sun } from 'lucide-react';
import { useId } from 'react';
import { type ThemeChoice, themeChoices, useTheme } from './theme.ts';

export function ThemeSwitch() {
  const [choice, choose] = useTheme();
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
            onChange={() => choose(theme)}
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
