import { clsx } from 'clsx';
import { useEffect } from 'react';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { DismissTray, ShowQueue, UploadWaiting } from './tray-controls.tsx';
import { TrayText } from './TrayText.tsx';
import { hasNews, waitingOf } from './tray-news.ts';
import { summaryOf } from './summary.ts';
import { useOnQueuePage } from './use-on-queue-page.ts';
import { useQueue } from './use-queue.ts';

/** The queue in a few words, on every page but its own: how the batch goes, how it ended, and what waits. */
export function UploadTray({ onDashboard }: { readonly onDashboard: boolean }) {
  const onQueuePage = useOnQueuePage();
  const shown = useQueue((queue) => queue.running || hasNews(queue));
  if (!shown || onQueuePage) return null;
  return (
    <>
      {/* Room at the end of the page, so that nothing there stays below the tray. The dashboard has some of its own. */}
      <div aria-hidden className={clsx('h-16', onDashboard && 'lg:hidden')} />
      <Tray />
    </>
  );
}

function Tray() {
  const running = useQueue((queue) => queue.running);
  const hasWaiting = useQueue((queue) => waitingOf(queue) !== undefined);
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
        {/* The same link through the whole batch: it has the focus after a press of the button before it. */}
        <ShowQueue />
        {!running && <DismissTray />}
      </div>
      {running && <BatchProgress />}
    </aside>
  );
}

function BatchProgress() {
  const progress = useQueue((queue) => summaryOf(queue).place?.progress ?? 0);
  return (
    <div className="mt-2">
      <ProgressBar value={progress} label="Progress of all uploads" />
    </div>
  );
}

/** What takes the focus is scrolled to above the tray, not below it. */
function keepFocusClear(): () => void {
  const { style } = document.documentElement;
  style.scrollPaddingBottom = '9rem';
  return () => {
    style.scrollPaddingBottom = '';
  };
}
