import { Spinner } from '../ui/Spinner.tsx';

/** The whole page while it is not known who is there; `note` says why that takes long. */
export function Checking({ note }: { readonly note?: string | undefined }) {
  return (
    <main className="grid min-h-dvh place-items-center px-4">
      <output className="flex flex-col items-center gap-2 text-center text-m text-muted">
        <h1 className="flex items-center gap-2.5">
          <Spinner />
          Checking session...
        </h1>
        {note !== undefined && <span className="max-w-[46ch] animate-appear">{note}</span>}
      </output>
    </main>
  );
}
