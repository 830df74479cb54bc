import type { AccountSettings, SettingsOptions } from '@holdfast/contract/src/account.ts';
import { useSettings, withChanges } from '../../../api/settings.ts';
import { Deleting } from './Deleting.tsx';
import { Links } from './Links.tsx';
import { TimeZone } from './TimeZone.tsx';
import { type SaveSetting, useSaveSetting } from './use-save-setting.ts';
import { useTimezoneDetection } from './use-timezone-detection.ts';

/** What every group of settings gets. */
export interface GroupProps {
  readonly settings: AccountSettings;
  readonly options: SettingsOptions | undefined;
  readonly save: SaveSetting;
}

/** A change shows at once, and goes back by itself where the server says no. What deletes files stands last. */
export function Settings() {
  const { data } = useSettings();
  const [onTheirWay, save] = useSaveSetting();
  const detect = useTimezoneDetection();
  if (!data) return null;
  const settings = withChanges(data.account.settings, onTheirWay);
  const group = { settings, options: data.settings_options, save };
  return (
    <div className="flex flex-col gap-8">
      <TimeZone {...group} detect={detect} />
      <Links {...group} />
      <Deleting {...group} />
    </div>
  );
}
