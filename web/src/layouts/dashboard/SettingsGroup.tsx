import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { ChevronDown, Settings2 } from 'lucide-react';
import { useId, useState } from 'react';
import { sidebarRow } from './sidebar-look.ts';
import { isCurrent, isSettingsChild, settingsNav } from './sidebar-nav.ts';

/** Opens by itself when the path becomes one of its children (spec section 2); after that it is the user's. */
export function SettingsGroup({ pathname }: { readonly pathname: string }) {
  const inside = isSettingsChild(pathname);
  const [open, setOpen] = useState(inside);
  const [wasInside, setWasInside] = useState(inside);
  if (inside !== wasInside) {
    setWasInside(inside);
    if (inside) setOpen(true);
  }
  const list = useId();
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={list}
        className={sidebarRow}
        onClick={() => setOpen(!open)}
      >
        <Settings2 aria-hidden />
        Settings
        <ChevronDown aria-hidden className={clsx('ml-auto transition-transform duration-150', open && 'rotate-180')} />
      </button>
      <ul id={list} hidden={!open} className="flex flex-col gap-0.5 [&[hidden]]:hidden">
        {settingsNav.map(({ to, name }) => (
          <li key={to}>
            <Link to={to} className={clsx(sidebarRow, 'pl-9')} data-current={isCurrent(to, pathname) || undefined}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
