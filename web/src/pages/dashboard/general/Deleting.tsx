import { autoDeleteDays } from '@holdfast/contract/src/rules.ts';
import { Slider } from '../../../ui/Slider.tsx';
import { SwitchRow } from '../../../ui/SwitchRow.tsx';
import { Group } from './Group.tsx';
import type { GroupProps } from './Settings.tsx';

export function Deleting({ settings, options, save }: GroupProps) {
  const { continuous_uploading, inactivity_auto_delete_days } = settings;
  const { min, max } = options?.inactivity_auto_delete_days_options ?? autoDeleteDays;
  return (
    <Group title="Automatic deletion">
      <SwitchRow
        label="Continuous Uploading"
        checked={continuous_uploading}
        onChange={(on) => void save({ continuous_uploading: on })}
        hint={
          <>
            When your account is full, a new upload <Lost>deletes your oldest files for good</Lost>, as many as it
            needs. Favorites are never deleted.
          </>
        }
      />
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

function Lost({ children }: { readonly children: string }) {
  return <strong className="font-medium text-danger">{children}</strong>;
}

/** Spec section 5: 0 is shown as 'Off'. */
function days(count: number): string {
  if (count === 0) return 'Off';
  return count === 1 ? '1 day' : `${count} days`;
}
