import type { Account } from '@holdfast/contract/src/account.ts';
import { useAccount } from '../../../api/account/account.ts';
import { useEviction, useFileRules } from './use-eviction.ts';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { useEffect } from 'react';
import { shownName } from '../../../lib/shown-name.ts';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { focusAfter, places } from './focus-after.ts';
import { pauseOf, summaryOf, uploadingItem } from './selectors.ts';
import { hasMessage, outcomeMessage, waitingMessage } from './tray-message.ts';
import { uploads } from './upload-queue-instance.ts';
import { useQueue } from './use-queue.ts';

export interface UploadTrayProps {
  readonly onDashboard: boolean;
  readonly onQueuePage: boolean;
}

/** Summary of the queue on all other pages: the progress of the batch, its outcome, and the files that wait. */
export function UploadTray({ onDashboard, onQueuePage }: UploadTrayProps) {
  const shown = useQueue((queue) => queue.running || hasMessage(queue));
  if (!shown || onQueuePage) return null;
  return (
    <>
      {/* Space at the end of the page, so that the tray covers no content. The dashboard has some of its own. */}
      <div aria-hidden className={clsx('h-16', onDashboard && 'lg:hidden')} />
      <Tray />
    </>
  );
}

function Tray() {
  const running = useQueue((queue) => queue.running);
  const hasWaiting = useQueue((queue) => waitingMessage(queue) !== undefined);
  useEffect(() => keepFocusClear(), []);
  return (
    <aside
      aria-label="Uploads"
      className="fixed right-4 bottom-4 left-4 z-40 rounded-m border border-edge bg-surface px-4 py-3 text-m max-[860px]:[--control:44px] sm:left-auto sm:w-96"
    >
      <div className="flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <TrayText />
        </div>
        {!running && hasWaiting && <UploadWaiting />}
        {/* The same link during the whole batch: it has the focus after a press of the button before it. */}
        <ShowQueue />
        {!running && <DismissTray />}
      </div>
      {running && <BatchProgress />}
    </aside>
  );
}

function keepFocusClear(): () => void {
  const { style } = document.documentElement;
  style.scrollPaddingBottom = '9rem';
  return () => {
    style.scrollPaddingBottom = '';
  };
}

function TrayText() {
  const running = useQueue((queue) => queue.running);
  return running ? <RunningBatch /> : <QuietQueue />;
}

function RunningBatch() {
  const pause = useQueue(pauseOf);
  const name = useQueue((queue) => uploadingItem(queue)?.file.name ?? '');
  const position = useQueue((queue) => summaryOf(queue).place?.position);
  const total = useQueue((queue) => summaryOf(queue).place?.total);
  return (
    <>
      <p className="truncate">
        {pause === undefined ? 'Uploading' : pauses[pause]} <span className="figures">{position}</span> of{' '}
        <span className="figures">{total}</span>
      </p>
      <p className="min-h-5 truncate text-s text-muted">
        <bdi>{shownName(name)}</bdi>
      </p>
    </>
  );
}

const pauses = {
  offline: 'Offline, waiting',
  paused: 'Paused,',
  'no-response': 'No response, waiting',
  away: 'Server not available, waiting',
  busy: 'Waiting to try again,',
  elsewhere: 'Uploading elsewhere, waiting',
  stalled: 'Stalled,',
} as const;

function QuietQueue() {
  const outcome = useQueue(outcomeMessage);
  const waiting = useQueue(waitingMessage);
  return (
    <>
      {outcome !== undefined && <p>{outcome}</p>}
      {waiting !== undefined && <p>{waiting}</p>}
    </>
  );
}

function UploadWaiting() {
  const { data: account } = useAccount();
  return account && <UploadUnlessDeleting account={account} />;
}

/** What Continuous Uploading will delete is named before the button, and only the queue's own page has the space. */
function UploadUnlessDeleting({ account }: { readonly account: Account }) {
  const { isOn } = useEviction(account, useFileRules(account));
  if (isOn) return null;
  return (
    <Button variant="primary" onClick={() => focusAfter(() => uploads.dispatch({ type: 'start' }), places.trayShow)}>
      Upload
    </Button>
  );
}

function ShowQueue() {
  return (
    <Link
      id={places.trayShow}
      to="/dashboard"
      activeOptions={{ exact: true }}
      className="inline-flex min-h-control shrink-0 items-center px-2 text-sea underline-offset-4 hover:underline max-[860px]:min-w-11 max-[860px]:justify-center"
    >
      Show
    </Link>
  );
}

function DismissTray() {
  return (
    <IconButton label="Dismiss" className="-mr-2" onClick={dismiss}>
      <X />
    </IconButton>
  );
}

/** The tray disappears together with the pressed control, so the focus moves to the page's heading. */
function dismiss(): void {
  focusAfter(() => uploads.dispatch({ type: 'dismiss' }));
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}

function BatchProgress() {
  const progress = useQueue((queue) => summaryOf(queue).place?.progress ?? 0);
  return (
    <div className="mt-2">
      <ProgressBar value={progress} label="Progress of all uploads" />
    </div>
  );
}
