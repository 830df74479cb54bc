import { useRef, useState } from 'react';
import { useEvictionPreview, useInactiveFiles } from '../../../api/files.ts';
import { formatFiles } from '../../../lib/format.ts';
import { SwitchRow } from '../../../ui/Switch.tsx';
import { ConfirmDeleting, DangerText, FileLines } from './ConfirmDeleting.tsx';
import { SettingsGroup, type SettingsProps } from './SettingsGroup.tsx';
import { autoDeleteDays, restorableHours } from '@holdfast/contract/src/limits.ts';
import { serverMessage } from '../../../api/client/errors.ts';
import { isNoticed } from '../../../api/session/session-end.ts';
import { useFetchSettings } from '../../../api/account/settings.ts';
import { Slider } from '../../../ui/Slider.tsx';
import { toast } from '../../../ui/toast.tsx';

/** The two settings that delete files. */
export function AutomaticDeletion({ settings, options, save }: SettingsProps) {
  return (
    <SettingsGroup
      title="Automatic deletion"
      text={`Deletes files without asking. You can restore them for ${restorableHours} hours. Favorites are never deleted.`}
    >
      <ContinuousUploading settings={settings} save={save} />
      <AutoDelete settings={settings} options={options} save={save} />
    </SettingsGroup>
  );
}

/** Turning it on needs a confirmation, because it deletes files; turning it off does not. */
function ContinuousUploading({ settings, save }: Pick<SettingsProps, 'settings' | 'save'>) {
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
            When your account is full, a new upload <DangerText>deletes your oldest files</DangerText>, as many as it
            needs. Favorites are never deleted.
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
            account is full, a new upload <DangerText>deletes your oldest files</DangerText>.
          </p>
        ) : (
          <>
            <p className="text-muted">
              When your account is full, a new upload <DangerText>deletes your oldest files</DangerText> to make room.
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

/**
 * A longer period, or none, deletes fewer files, so only turning it on or shortening the period needs a confirmation.
 */
function AutoDelete({ settings, options, save }: SettingsProps) {
  const { inactivity_auto_delete_days: saved } = settings;
  const { min, max } = options?.inactivity_auto_delete_days_options ?? autoDeleteDays;
  const fetchSettings = useFetchSettings();
  const latest = useRef<number>(undefined);
  const [chosen, setChosen] = useState<number>();
  const [asking, setAsking] = useState(false);
  const end = () => {
    latest.current = undefined;
    setChosen(undefined);
    setAsking(false);
  };
  const saveAndEnd = (days: number) => {
    void save({ inactivity_auto_delete_days: days });
    end();
  };
  const choose = async (days: number) => {
    if (days === 0) return saveAndEnd(days);
    latest.current = days;
    setChosen(days);
    try {
      // If another device has turned it off, even a longer period than shown here turns it on.
      const { inactivity_auto_delete_days: now } = await fetchSettings();
      if (latest.current !== days) return undefined;
      return now === 0 || days < now ? setAsking(true) : saveAndEnd(days);
    } catch (error) {
      if (latest.current !== days) return undefined;
      if (!isNoticed(error)) toast.error(serverMessage(error, 'Failed to update settings'));
      return end();
    }
  };
  const answer = (yes: boolean) => (yes && chosen !== undefined ? saveAndEnd(chosen) : end());
  return (
    <div>
      <Slider
        label="Auto Delete Inactive Files"
        min={min}
        max={max}
        value={chosen ?? saved}
        format={span}
        onRelease={(days) => void choose(days)}
        hint={
          <>
            Files that nobody opens for this many days are <DangerText>deleted</DangerText>, including files you have
            already uploaded. A file never opened counts from its upload. Favorites are never deleted.
          </>
        }
      />
      {asking && chosen !== undefined && <ConfirmAutoDelete days={chosen} before={saved} onAnswer={answer} />}
    </div>
  );
}

/** Zero days turn automatic deletion off. */
function span(count: number): string {
  if (count === 0) return 'Off';
  return count === 1 ? '1 day' : `${count} days`;
}

interface ConfirmAutoDeleteProps {
  readonly days: number;
  /** Current number of days; 0 means off. */
  readonly before: number;
  readonly onAnswer: (yes: boolean) => void;
}

function ConfirmAutoDelete({ days, before, onAnswer }: ConfirmAutoDeleteProps) {
  const period = span(days);
  return (
    <ConfirmDeleting
      title={before === 0 ? `Turn on Auto Delete after ${period}?` : `Lower Auto Delete to ${period}?`}
      agree={before === 0 ? 'Turn on' : 'Lower'}
      files={useInactiveFiles(days)}
      onAnswer={onAnswer}
    >
      {({ files, total }) => (
        <>
          <p className="text-muted">
            Every night, files that nobody has opened for {period} are <DangerText>deleted</DangerText>, including files
            you have already uploaded. {tonight(total)}
          </p>
          {files.length > 0 && <FileLines label="Files that would be deleted tonight" files={files} />}
          <p className="mt-3 text-muted">
            {total > files.length && `…and ${formatFiles(total - files.length)} more. `}
            Favorites are never deleted.
          </p>
        </>
      )}
    </ConfirmDeleting>
  );
}

const tonight = (total: number): string =>
  total === 0 ? 'No files would be deleted tonight.' : `Tonight that would be ${formatFiles(total)}:`;
