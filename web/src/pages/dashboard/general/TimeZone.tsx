import { ComboboxField } from '../../../ui/ComboboxField.tsx';
import { SwitchRow } from '../../../ui/SwitchRow.tsx';
import { Group } from './Group.tsx';
import type { GroupProps } from './Settings.tsx';

export interface TimeZoneProps extends GroupProps {
  readonly detect: () => Promise<void>;
}

export function TimeZone({ settings, options, save, detect }: TimeZoneProps) {
  const { timezone_auto, timezone } = settings;
  const setAutomatic = async (on: boolean) => {
    if ((await save({ timezone_auto: on })) && on) await detect();
  };
  const choose = async (zone: string) => {
    if (await save({ timezone: zone })) await detect();
  };
  return (
    <Group title="Timezone">
      <SwitchRow
        label="Automatic Timezone"
        checked={timezone_auto}
        onChange={(on) => void setAutomatic(on)}
        hint={timezone_auto ? `Taken from your browser: ${timezone}` : 'Off: times are shown in the zone chosen below.'}
      />
      {!timezone_auto && (
        <ComboboxField
          label="Manual Timezone"
          options={options?.timezone_options ?? [timezone]}
          value={timezone}
          onChange={(zone) => void choose(zone)}
          hint="Upload and access times are shown in this zone."
        />
      )}
    </Group>
  );
}
