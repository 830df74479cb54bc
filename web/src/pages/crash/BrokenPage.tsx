import { useQueryClient } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { PageNotLoaded } from '../../lib/lazy-page.ts';
import { Button } from '../../ui/Button.tsx';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';

/** Stands in for a dashboard page that breaks. What is around it goes on: the navigation, and uploads on their way. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  return (
    <div className="mx-auto flex max-w-[46ch] flex-col items-center gap-3 py-16 text-center" role="alert">
      <PageTitle tab="Error">Something went wrong.</PageTitle>
      {error instanceof PageNotLoaded ? <NotLoaded /> : <Broken reset={reset} />}
    </div>
  );
}

/** A browser does not ask again for code that did not come once, and a newer version may have replaced what is open. */
function NotLoaded() {
  return (
    <>
      <p className="text-muted">
        This page could not be loaded. When there is a connection, load the app again. Uploads on their way go on until
        then; files that still wait have to be chosen once more.
      </p>
      <div className={ways}>
        <Button variant="primary" onClick={() => location.reload()}>
          Load the app again
        </Button>
        <ToUploads />
      </div>
    </>
  );
}

function Broken({ reset }: Pick<ErrorComponentProps, 'reset'>) {
  const [busy, tryAgain] = useFreshTry(reset);
  return (
    <>
      <p className="text-muted">
        This page met an error that it could not mend. Your files are safe, and uploads on their way go on.
      </p>
      <div className={ways}>
        <Button variant="primary" busy={busy} disabled={busy} onClick={tryAgain}>
          Try again
        </Button>
        <ToUploads />
      </div>
    </>
  );
}

function ToUploads() {
  return (
    <ButtonLink to="/dashboard" activeOptions={{ exact: true }}>
      Go to Upload Files
    </ButtonLink>
  );
}

const ways = 'mt-3 flex flex-wrap justify-center gap-2';

/** The page may have broken by what it was told, so that is forgotten and asked for again. */
function useFreshTry(reset: () => void): readonly [boolean, () => void] {
  const queries = useQueryClient();
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const tryAgain = async () => {
    setBusy(true);
    queries.removeQueries({ type: 'inactive' });
    await queries.refetchQueries({ type: 'active' });
    reset();
    await router.invalidate();
  };
  return [busy, () => void tryAgain()];
}
