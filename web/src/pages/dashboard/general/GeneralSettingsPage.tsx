import type { OneSetting } from '@holdfast/contract/src/account.ts';
import { useRef, useState } from 'react';
import { serverMessage } from '../../../api/client/errors.ts';
import { useChangeSetting, useSettings, withChanges } from '../../../api/account/settings.ts';
import { LoadFailure } from '../../../components/LoadFailure.tsx';
import { SubpageTitle } from '../../../components/SubpageTitle.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { toast } from '../../../ui/toast.tsx';
import { AutomaticDeletion } from './AutomaticDeletion.tsx';
import { Links } from './Links.tsx';
import type { SaveSetting, SettingsProps } from './SettingsGroup.tsx';
import { TimeZone } from './TimeZone.tsx';

export function GeneralSettingsPage() {
  const place = useRef<HTMLDivElement>(null);
  return (
    <>
      <SubpageTitle to="/dashboard/settings" overview="Settings">
        General Settings
      </SubpageTitle>
      <p className="mt-1 text-muted">Changes save automatically.</p>
      <div ref={place} tabIndex={-1} className="mt-6 outline-none">
        {/* The pressed button disappears with the failure message. */}
        <SettingsOnceLoaded onRetry={() => place.current?.focus({ preventScroll: true })} />
      </div>
    </>
  );
}

function SettingsOnceLoaded({ onRetry }: { readonly onRetry: () => void }) {
  const { data, error, refetch } = useSettings();
  const retry = () => {
    void refetch();
    onRetry();
  };
  if (data) return <Settings settings={data.account.settings} options={data.settings_options} />;
  if (error) return <LoadFailure title="The settings could not be loaded" error={error} onRetry={retry} />;
  return (
    <output className="flex items-center gap-2.5 text-muted">
      <Spinner />
      Loading settings...
    </output>
  );
}

/** A change is shown optimistically and reverts if the server refuses it. The settings that delete files are last. */
function Settings({ settings, options }: Omit<SettingsProps, 'save'>) {
  const [pending, save] = useSaveSetting();
  const group = { settings: withChanges(settings, pending), options, save };
  return (
    <div className="flex flex-col gap-10">
      <TimeZone {...group} />
      <Links {...group} />
      <AutomaticDeletion {...group} />
    </div>
  );
}

/**
 * The pending changes, oldest first, and a function that sends another one. They are kept apart from the query cache,
 * where a refetch would overwrite them, and where a refused change could not be taken back on its own.
 */
function useSaveSetting(): readonly [readonly OneSetting[], SaveSetting] {
  const { mutateAsync } = useChangeSetting();
  const [pending, setPending] = useState<readonly OneSetting[]>([]);
  const save = async (change: OneSetting) => {
    setPending((changes) => [...changes, change]);
    try {
      if (!(await mutateAsync(change))) return false;
      toast.success('Settings updated successfully');
      return true;
    } catch (error) {
      toast.error(serverMessage(error, 'Failed to update settings'));
      return false;
    } finally {
      setPending((changes) => changes.filter((each) => each !== change));
    }
  };
  return [pending, save];
}
