import { useSettings } from '../../../api/settings.ts';
import { LoadFailure } from '../../../layouts/LoadFailure.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { Settings } from './Settings.tsx';

export function GeneralSettingsPage() {
  return (
    <>
      <PageTitle>General Settings</PageTitle>
      <p className="mt-1 text-muted">Every change is saved at once.</p>
      <div className="mt-6 max-w-3xl">
        <SettingsOnceLoaded />
      </div>
    </>
  );
}

function SettingsOnceLoaded() {
  const { data, error, refetch } = useSettings();
  if (data) return <Settings />;
  if (error)
    return <LoadFailure title="The settings could not be loaded" error={error} onRetry={() => void refetch()} />;
  return (
    <output className="flex items-center gap-2.5 text-muted">
      <Spinner />
      Loading settings...
    </output>
  );
}
