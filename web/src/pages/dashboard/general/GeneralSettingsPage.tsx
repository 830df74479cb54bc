import { errorMessage } from '../../../api/errors.ts';
import { useSettings } from '../../../api/settings.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorBox } from '../../../ui/ErrorBox.tsx';
import { PageTitle } from '../../../ui/PageTitle.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { Settings } from './Settings.tsx';

export function GeneralSettingsPage() {
  return (
    <>
      <PageTitle>General Settings</PageTitle>
      <p className="mt-1 text-muted">Every change is saved at once.</p>
      <div className="mt-5 max-w-3xl">
        <SettingsOnceLoaded />
      </div>
    </>
  );
}

function SettingsOnceLoaded() {
  const { data, error, refetch } = useSettings();
  if (data) return <Settings />;
  if (error) return <LoadingFailure error={error} onRetry={() => void refetch()} />;
  return (
    <output className="flex items-center gap-2.5 text-muted">
      <Spinner />
      Loading settings...
    </output>
  );
}

function LoadingFailure({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  return (
    <ErrorBox>
      <p className="font-medium">The settings could not be loaded</p>
      <p className="text-muted">{errorMessage(error)}</p>
      <Button className="mt-3" onClick={onRetry}>
        Try again
      </Button>
    </ErrorBox>
  );
}
