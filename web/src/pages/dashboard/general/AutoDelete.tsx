import { autoDeleteDays } from '@holdfast/contract/src/limits.ts';
import { useRef, useState } from 'react';
import { serverMessage } from '../../../api/errors.ts';
import { useInactiveFiles } from '../../../api/files.ts';
import { isNoticed } from '../../../api/session-end.ts';
import { useFetchSettings } from '../../../api/settings.ts';
import { formatFiles } from '../../../lib/format.ts';
import { Slider } from '../../../ui/Slider.tsx';
import { toast } from '../../../ui/toast.ts';
import { ConfirmDeleting, DangerText, FileLines } from './ConfirmDeleting.tsx';
import type { SettingsProps } from './SettingsGroup.tsx';

/**
 * A longer period, or none, deletes fewer files, so only turning it on or shortening the period needs a confirmation.
 */
export function AutoDelete({ settings, options, save }: SettingsProps) {
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
            Files that nobody has opened for this many days, counted from the upload if nobody ever has, are{' '}
            <DangerText>deleted for good</DangerText>, files that you already have too. Favorites are never deleted.
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
            Every night, files that nobody has opened for {period} are <DangerText>deleted for good</DangerText>,
            including files that you have already uploaded. {tonight(total)}
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
