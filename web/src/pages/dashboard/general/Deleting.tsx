import { autoDeleteDays } from '@holdfast/contract/src/rules.ts';
import { Slider } from '../../../ui/Slider.tsx';
import { ContinuousUploading } from './ContinuousUploading.tsx';
import { Group } from './Group.tsx';
import { Lost } from './Lost.tsx';
import type { GroupProps } from './Settings.tsx';

export function Deleting({ settings, options, save }: GroupProps) {
  const { inactivity_auto_delete_days } = settings;
  const { min, max } = options?.inactivity_auto_delete_days_options ?? autoDeleteDays;
  return (
    <Group title="Automatic deletion">
      <ContinuousUploading settings={settings} save={save} />
      <Slider
        label="Auto Delete Inactive Files"
        min={min}
        max={max}
        value={inactivity_auto_delete_days}
        format={days}
        onRelease={(chosen) => void save({ inactivity_auto_delete_days: chosen })}
        hint={
          <>
            Files that nobody has opened for this many days, counted from the upload if nobody ever has, are{' '}
            <Lost>deleted for good</Lost>, files that you already have too. Favorites are never deleted.
          </>
        }
      />
    </Group>
  );
}

/** Spec section 5: 0 is shown as 'Off'. */
function days(count: number): string {
  if (count === 0) return 'Off';
  return count === 1 ? '1 day' : `${count} days`;
}
