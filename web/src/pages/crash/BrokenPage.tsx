import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';

/** Stands in for a dashboard page that breaks. What is around it goes on: the navigation, and uploads on their way. */
export function BrokenPage({ reset }: { readonly reset: () => void }) {
  const [busy, tryAgain] = useFreshTry(reset);
  return (
    <div className="mx-auto flex max-w-[46ch] flex-col items-center gap-3 py-16 text-center" role="alert">
      <PageTitle tab="Error">Something went wrong.</PageTitle>
      <p className="text-muted">
        This page met an error that it could not mend. Your files are safe, and uploads on their way go on.
      </p>
      <div className="mt-3 flex flex-wrap justify-center gap-2">
        <Button variant="primary" busy={busy} disabled={busy} onClick={tryAgain}>
          Try again
        </Button>
        <ButtonLink to="/dashboard" activeOptions={{ exact: true }}>
          Go to Upload Files
        </ButtonLink>
      </div>
    </div>
  );
}

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
