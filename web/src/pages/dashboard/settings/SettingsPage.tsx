import type { AccountSettings, AccountUsage } from '@holdfast/contract/src/account.ts';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useAccount } from '../../../api/account/account.ts';
import { useSessions } from '../../../api/session/sessions.ts';
import { useSettings } from '../../../api/account/settings.ts';
import { type SettingsPath, settingsNav } from '../../../layouts/dashboard/sidebar-nav.ts';
import { formatCount, formatFiles, formatSize } from '../../../lib/format.ts';
import { browserTimeZone } from '../../../lib/time.ts';
import { Card } from '../../../ui/Card.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';

/** Overview of the settings pages, each with its current value. */
export function SettingsPage() {
  const values = useCurrentValues();
  return (
    <>
      <PageTitle>Settings</PageTitle>
      <Card className="mt-5 grid overflow-hidden *:not-last:border-b *:not-last:border-line xl:grid-cols-2 xl:*:odd:border-r xl:*:nth-last-[-n+2]:border-b-0">
        {settingsNav.map(({ to, name }) => (
          <SettingsEntry key={to} to={to} name={name} description={descriptions[to]} value={values[to]} />
        ))}
      </Card>
    </>
  );
}

const descriptions = {
  '/dashboard/general': 'Timezone, links and automatic deletion',
  '/dashboard/security': 'Your password, and where you are signed in',
  '/dashboard/change-api': 'A new key for your scripts, apps and upload tools',
  '/dashboard/delete-account': 'Permanently delete the account and everything in it',
} satisfies Record<SettingsPath, string>;

/** Current values of the settings. A value that is not available is left out; its own page shows the cause. */
function useCurrentValues(): { readonly [Path in SettingsPath]?: string | undefined } {
  const { data: account } = useAccount();
  const { data: settings } = useSettings();
  const { data: sessions } = useSessions();
  return {
    '/dashboard/general': settings && timeZoneText(settings.account.settings),
    '/dashboard/security': sessions && countText(sessions.length),
    '/dashboard/change-api': account ? `hf_…${account.info.api_key.slice(-4)}` : undefined,
    '/dashboard/delete-account': account ? usageText(account.usage) : undefined,
  };
}

const timeZoneText = ({ timezone, timezone_auto }: AccountSettings): string =>
  timezone_auto ? `${browserTimeZone()} (automatic)` : timezone;

const countText = (sessions: number): string => `${formatCount(sessions)} ${sessions === 1 ? 'session' : 'sessions'}`;

const usageText = ({ slots_used, space_used }: AccountUsage): string =>
  `${formatFiles(slots_used)}, ${formatSize(space_used)}`;

interface SettingsEntryProps {
  readonly to: SettingsPath;
  readonly name: string;
  readonly description: string;
  readonly value?: string | undefined;
}

function SettingsEntry({ to, name, description, value }: SettingsEntryProps) {
  return (
    <Link
      to={to}
      className="flex items-center gap-4 border-line px-4 py-4 -outline-offset-2 transition-colors duration-100 hover:bg-sunken sm:px-5"
    >
      <span className="min-w-0 flex-1 sm:flex sm:items-baseline sm:justify-between sm:gap-6">
        <span className="block">
          <span className="block font-medium">{name}</span>
          <span className="block text-pretty text-muted">{description}</span>
        </span>
        {value !== undefined && (
          <span className="mt-1 block animate-appear figures text-s break-words text-muted sm:mt-0 sm:max-w-[60%] sm:shrink-0 sm:text-right">
            {value}
          </span>
        )}
      </span>
      <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
    </Link>
  );
}
