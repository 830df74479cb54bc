import { useState } from 'react';
import { useEvictionPreview } from '../../../api/files.ts';
import { formatFiles } from '../../../lib/format.ts';
import { SwitchRow } from '../../../ui/Switch.tsx';
import { ConfirmDeleting, DangerText, FileLines } from './ConfirmDeleting.tsx';
import type { SettingsProps } from './SettingsGroup.tsx';

/** Turning it on needs a confirmation, because it deletes files; turning it off does not. */
export function ContinuousUploading({ settings, save }: Pick<SettingsProps, 'settings' | 'save'>) {
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
            When your account is full, a new upload <DangerText>deletes your oldest files for good</DangerText>, as many
            as it needs. Favorites are never deleted.
          </>
        }
      />
      {asking && <ConfirmContinuous onAnswer={answer} />}
    </div>
  );
}

interface ConfirmContinuousProps {
  readonly onAnswer: (yes: boolean) => void;
}

function ConfirmContinuous({ onAnswer }: ConfirmContinuousProps) {
  return (
    <ConfirmDeleting
      title="Turn on Continuous Uploading?"
      agree="Turn on"
      files={useEvictionPreview()}
      onAnswer={onAnswer}
    >
      {({ files, total }) =>
        files.length === 0 ? (
          <p className="text-muted">
            Nothing can be deleted yet: you have no files, or only favorites, which are never deleted. Later, when your
            account is full, a new upload <DangerText>deletes your oldest files for good</DangerText>.
          </p>
        ) : (
          <>
            <p className="text-muted">
              When your account is full, a new upload <DangerText>deletes your oldest files for good</DangerText>, as
              many as it needs.
              {files.length === 1
                ? ' This one would be deleted first:'
                : ' These would be deleted first, from the top:'}
            </p>
            <FileLines label="Files that would be deleted first" files={files} />
            <p className="mt-3 text-muted">{howMany(files.length, total)} Favorites are never deleted.</p>
          </>
        )
      }
    </ConfirmDeleting>
  );
}

function howMany(shown: number, total: number): string {
  if (total > shown) return `…and ${formatFiles(total - shown)} more, ${formatFiles(total)} in total.`;
  return total === 1
    ? 'No other file could be deleted.'
    : `No other files could be deleted (${formatFiles(total)} in total).`;
}
