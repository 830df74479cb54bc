import { useState } from 'react';
import { SwitchRow } from '../../../ui/SwitchRow.tsx';
import { ConfirmContinuous } from './ConfirmContinuous.tsx';
import { Lost } from './Lost.tsx';
import type { GroupProps } from './Settings.tsx';

/** Switching it on is asked about first, as it deletes files; switching it off is not. */
export function ContinuousUploading({ settings, save }: Pick<GroupProps, 'settings' | 'save'>) {
  const [asking, setAsking] = useState(false);
  const answer = (yes: boolean) => {
    setAsking(false);
    if (yes) void save({ continuous_uploading: true });
  };
  return (
    <div>
      <SwitchRow
        label="Continuous Uploading"
        checked={settings.continuous_uploading}
        onChange={(on) => (on ? setAsking(true) : void save({ continuous_uploading: false }))}
        hint={
          <>
            When your account is full, a new upload <Lost>deletes your oldest files for good</Lost>, as many as it
            needs. Favorites are never deleted.
          </>
        }
      />
      {asking && <ConfirmContinuous onAnswer={answer} />}
    </div>
  );
}
