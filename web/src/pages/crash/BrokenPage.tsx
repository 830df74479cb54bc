import { useQueryClient } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useAccount } from '../../api/account/account.ts';
import { loadAgain } from '../../api/upload/upload-guard.ts';
import { useLeftSignal } from '../../lib/left-signal.ts';
import { isReplaced, PageNotLoaded } from '../../lib/lazy-page.ts';
import { Button, ButtonAnchor, ButtonLink } from '../../ui/Button.tsx';
import { ContoursAround } from '../../ui/Contours.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';

/** Replaces a page that breaks. The rest keeps working: the navigation, and running uploads. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  return error instanceof PageNotLoaded ? <NotLoaded /> : <Broken reset={reset} />;
}

/** Replaces the whole app when it breaks. Both buttons reload everything. */
export function CrashPage() {
  return (
    <main className="grid min-h-dvh">
      <Notice
        title={wentWrong}
        text="Something broke on this page. Reloading often helps. The files in your account are safe."
      >
        <LoadAgain />
        <ButtonAnchor href="/">Go to the home page</ButtonAnchor>
      </Notice>
    </main>
  );
}

interface NoticeProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

function Notice({ title, text, children }: NoticeProps) {
  return (
    <div className="relative grid min-h-[70dvh] flex-1 place-items-center overflow-clip px-4 py-24">
      <ContoursAround />
      <div className="relative flex max-w-[46ch] flex-col items-center gap-3 text-center" role="alert">
        <PageTitle tab="Error">{title}</PageTitle>
        <p className="text-muted">{text}</p>
        <div className="mt-3 flex flex-wrap justify-center gap-2">{children}</div>
      </div>
    </div>
  );
}

const wentWrong = 'Something went wrong.';

function LoadAgain() {
  const leftSignal = useLeftSignal();
  return (
    <Button variant="primary" onClick={() => void loadAgain(leftSignal())}>
      Load again
    </Button>
  );
}

function NotLoaded() {
  const { data: account } = useAccount();
  const replaced = useReplacement();
  if (replaced === undefined) return null;
  return (
    <Notice
      title={replaced ? 'A new version is available.' : 'This page could not be loaded.'}
      text={
        replaced
          ? 'Reload the page to use it.'
          : `The server did not respond. Check your connection and try again.${account ? ' Uploads continue.' : ''}`
      }
    >
      <LoadAgain />
      <WayOut />
    </Notice>
  );
}

/** Returns whether a newer version has replaced the page. Then it is loaded, unless the user wants to keep uploads. */
function useReplacement(): boolean | undefined {
  const [replaced, setReplaced] = useState<boolean>();
  useEffect(() => {
    const shown = new AbortController();
    const check = async () => {
      const found = await isReplaced();
      setReplaced(found);
      // While two versions are served, reloading at once would not end.
      if (found && performance.now() > 10_000) await loadAgain(shown.signal);
    };
    void check();
    return () => shown.abort();
  }, []);
  return replaced;
}

function Broken({ reset }: Pick<ErrorComponentProps, 'reset'>) {
  const [busy, tryAgain] = useFreshTry(reset);
  return (
    <Notice
      title={wentWrong}
      text="Something broke on this page. The files in your account are safe, and uploads continue."
    >
      <Button variant="primary" busy={busy} disabled={busy} onClick={tryAgain}>
        Try again
      </Button>
      <WayOut />
    </Notice>
  );
}

function WayOut() {
  const { data: account } = useAccount();
  return account ? (
    <ButtonLink to="/dashboard" activeOptions={{ exact: true }}>
      Go to Upload Files
    </ButtonLink>
  ) : (
    <ButtonLink to="/">Go to the home page</ButtonLink>
  );
}

/** The server's data may have broken the page, so it is dropped and fetched again. */
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
