import { type SettingsPath, settingsNav } from '../../../layouts/dashboard/sidebar-nav.ts';
import { Card } from '../../../ui/Card.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { SettingsEntry } from './SettingsEntry.tsx';
import { usePresentValues } from './use-present-values.ts';

/** The settings pages at a glance, each with what it is at. */
export function SettingsPage() {
  const values = usePresentValues();
  return (
    <>
      <PageTitle>Settings</PageTitle>
      <Card className="mt-5 max-w-3xl divide-y divide-line overflow-hidden">
        {settingsNav.map(({ to, name }) => (
          <SettingsEntry key={to} to={to} name={name} holds={holds[to]} value={values[to]} />
        ))}
      </Card>
    </>
  );
}

const holds = {
  '/dashboard/general': 'Timezone, links, and what is deleted by itself',
  '/dashboard/security': 'Your password, and where you are signed in',
  '/dashboard/change-api': 'A new key for your scripts, apps and upload tools',
  '/dashboard/delete-account': 'The account and everything in it, for good',
} satisfies Record<SettingsPath, string>;
