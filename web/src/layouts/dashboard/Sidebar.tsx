import { Link, useLocation } from '@tanstack/react-router';
import { SettingsGroup } from './SettingsGroup.tsx';
import { isCurrent, sidebarNav } from './sidebar-nav.ts';
import { sidebarRow } from './sidebar-look.ts';

export function Sidebar() {
  const { pathname } = useLocation();
  return (
    <nav aria-label="Dashboard" className="flex flex-col gap-0.5">
      {sidebarNav.map(({ to, name, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          className={sidebarRow}
          // Without it /dashboard would count as current on every page below it.
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
