import { useRef } from 'react';
import { useSettings } from '../../../api/settings.ts';
import { LoadFailure } from '../../../layouts/LoadFailure.tsx';
import { TitleBelow } from '../../../layouts/dashboard/TitleBelow.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { Settings } from './Settings.tsx';

export function GeneralSettingsPage() {
  const place = useRef<HTMLDivElement>(null);
  return (
    <>
      <TitleBelow to="/dashboard/settings" overview="Settings">
        General Settings
      </TitleBelow>
      <p className="mt-1 text-muted">Every change is saved at once.</p>
      <div ref={place} tabIndex={-1} className="mt-6 max-w-3xl outline-none">
        {/* The button that was pressed goes with the failure. */}
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
  if (data) return <Settings />;
  if (error) return <LoadFailure title="The settings could not be loaded" error={error} onRetry={retry} />;
  return (
    <output className="flex items-center gap-2.5 text-muted">
      <Spinner />
      Loading settings...
    </output>
  );
}
