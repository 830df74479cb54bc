import { Spinner } from '../ui/Spinner.tsx';

/** The whole page while it is not known who is there. */
export function Checking() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <output className="flex items-center gap-2.5 text-m text-muted">
        <Spinner />
        Checking session...
      </output>
    </main>
  );
}
