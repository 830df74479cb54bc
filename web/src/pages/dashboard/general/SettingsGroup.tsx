import type { AccountSettings, OneSetting, SettingsOptions } from '@holdfast/contract/src/account.ts';
import type { ReactNode } from 'react';
import { PageSection } from '../../../components/PageSection.tsx';
import { Card } from '../../../ui/Card.tsx';

interface SettingsGroupProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

/** Settings that belong together. Each child is one setting, and hairlines separate them. */
export function SettingsGroup({ title, text, children }: SettingsGroupProps) {
  return (
    <PageSection title={title} text={text}>
      <Card className="divide-y divide-line *:px-4 *:py-4 sm:*:px-5">{children}</Card>
    </PageSection>
  );
}

/** Props that the groups of settings share. */
export interface SettingsProps {
  readonly settings: AccountSettings;
  readonly options: SettingsOptions | undefined;
  readonly save: SaveSetting;
}

/** Sends one setting and shows the outcome. Resolves with whether the server accepted it. */
export type SaveSetting = (change: OneSetting) => Promise<boolean>;
