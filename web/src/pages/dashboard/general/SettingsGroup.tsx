import type { AccountSettings, OneSetting, SettingsOptions } from '@holdfast/contract/src/account.ts';
import { type ReactNode, useId } from 'react';
import { Card } from '../../../ui/Card.tsx';

/** Settings that belong together. Each child is one setting, and hairlines separate them. */
export function SettingsGroup({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-title-s font-semibold">
        {title}
      </h2>
      <Card className="mt-3 divide-y divide-line *:px-4 *:py-4 sm:*:px-5">{children}</Card>
    </section>
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
