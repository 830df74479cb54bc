import { useEffect, useEffectEvent } from 'react';
import { serverMessage } from '../../../api/client/errors.ts';
import { useDetectTimezone } from '../../../api/account/settings.ts';
import { guessTimezone } from '../../../lib/guess-timezone.ts';
import { ComboboxField } from '../../../ui/ComboboxField.tsx';
import { SwitchRow } from '../../../ui/Switch.tsx';
import { toast } from '../../../ui/toast.tsx';
import { SettingsGroup, type SettingsProps } from './SettingsGroup.tsx';

export function TimeZone({ settings, options, save }: SettingsProps) {
  const detect = useTimezoneDetection();
  const { timezone_auto, timezone } = settings;
  const setAutomatic = async (on: boolean) => {
    if ((await save({ timezone_auto: on })) && on) await detect();
  };
  const choose = async (zone: string) => {
    if (await save({ timezone: zone })) await detect();
  };
  return (
    <SettingsGroup title="Timezone" text="Upload and access times are shown in this zone.">
      <SwitchRow
        label="Automatic Timezone"
        checked={timezone_auto}
        onChange={(on) => void setAutomatic(on)}
        hint={timezone_auto ? `Detected from your browser: ${timezone}` : 'Using the timezone below.'}
      />
      {!timezone_auto && (
        <ComboboxField
          label="Manual Timezone"
          options={options?.timezone_options ?? [timezone]}
          value={timezone}
          onChange={(zone) => void choose(zone)}
        />
      )}
    </SettingsGroup>
  );
}

/** Detects the time zone once when the settings open, and on every call of the returned function. */
function useTimezoneDetection(): () => Promise<void> {
  const { mutateAsync } = useDetectTimezone();
  const detect = async () => {
    const answer = await mutateAsync(guessTimezone());
    if (answer?.timezone_updated) toast.success(`Timezone updated to ${answer.timezone}`);
  };
  const detectOnOpening = useEffectEvent(() => {
    // The user did not ask for this detection, so a failure needs no toast.
    detect().catch((error: unknown) => console.error(error));
  });
  useEffect(() => detectOnOpening(), []);
  return () => detect().catch((error: unknown) => void toast.error(serverMessage(error, 'Failed to update settings')));
}
