import { Link, useLocation } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { ChevronDown, Settings2 } from 'lucide-react';
import { useId, useState } from 'react';
import { isCurrent, isSettingsChild, settingsNav, sidebarNav } from './sidebar-nav.ts';

export function Sidebar() {
  const { pathname } = useLocation();
  return (
    <nav aria-label="Dashboard" className="flex flex-col gap-0.5">
      {sidebarNav.map(({ to, name, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          className={sidebarRow}
          // Otherwise `/dashboard` would count as the current page on every page below it.
          activeOptions={{ exact: true }}
          data-current={isCurrent(to, pathname) || undefined}
          aria-current={isCurrent(to, pathname) ? 'page' : undefined}
        >
          <Icon aria-hidden />
          {name}
        </Link>
      ))}
      <SettingsGroup pathname={pathname} />
    </nav>
  );
}

/** Expands automatically when the path becomes one of its children; after that the user controls it. */
function SettingsGroup({ pathname }: { readonly pathname: string }) {
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

const sidebarRow =
  'flex min-h-control w-full items-center gap-2.5 rounded-m px-2.5 text-left text-m text-muted transition-colors duration-100 ' +
  'hover:bg-sunken hover:text-ink data-current:bg-sea-wash data-current:font-medium data-current:text-ink [&_svg]:size-4 [&_svg]:shrink-0';
