import type { AccountSettings, AccountUsage } from '@holdfast/contract/src/account.ts';
import { useAccount } from '../../../api/session.ts';
import { useSessions } from '../../../api/sessions.ts';
import { useSettings } from '../../../api/settings.ts';
import type { SettingsPath } from '../../../layouts/dashboard/sidebar-nav.ts';
import { formatCount, formatFiles, formatSize } from '../../../lib/format.ts';
import { browserTimeZone } from '../../../lib/time.ts';

/** What the settings are at. One that is not known, or cannot be, is simply not there: its page says why. */
export function usePresentValues(): { readonly [Path in SettingsPath]?: string | undefined } {
  const { data: account } = useAccount();
  const { data: settings } = useSettings();
  const { data: sessions } = useSessions();
  return {
    '/dashboard/general': settings && timeZone(settings.account.settings),
    '/dashboard/security': sessions && count(sessions.length),
    '/dashboard/delete-account': account ? files(account.usage) : undefined,
  };
}

const timeZone = ({ timezone, timezone_auto }: AccountSettings): string =>
  timezone_auto ? `${browserTimeZone()} (automatic)` : timezone;

const count = (sessions: number): string => `${formatCount(sessions)} ${sessions === 1 ? 'session' : 'sessions'}`;

const files = ({ slots_used, space_used }: AccountUsage): string =>
  `${formatFiles(slots_used)}, ${formatSize(space_used)}`;
