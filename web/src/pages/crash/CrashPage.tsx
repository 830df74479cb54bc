import { Button } from '../../ui/Button.tsx';
import { ButtonAnchor } from '../../ui/ButtonLink.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';

/** Stands in for the whole page when it breaks. Both ways on load everything afresh. */
export function CrashPage() {
  return (
    <main className="grid min-h-dvh place-items-center px-4">
      <div className="flex max-w-[46ch] flex-col items-center gap-3 text-center">
        <PageTitle tab="Error">Something went wrong.</PageTitle>
        <p className="text-muted">
          The page met an error that it could not mend. Loading it again often helps; your files are safe.
        </p>
        <div className="mt-3 flex flex-wrap justify-center gap-2">
          <Button variant="primary" onClick={() => location.reload()}>
            Load again
          </Button>
          <ButtonAnchor href="/">Go to the home page</ButtonAnchor>
        </div>
      </div>
    </main>
  );
}
