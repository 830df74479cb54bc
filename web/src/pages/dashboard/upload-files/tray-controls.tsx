/** What can be pressed in the tray. */
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { focusAfter, places } from './focus-after.ts';
import { uploads } from './tab-uploads.ts';

export function UploadWaiting() {
  return (
    <Button variant="primary" onClick={() => focusAfter(() => uploads.dispatch({ type: 'start' }), places.trayShow)}>
      Upload
    </Button>
  );
}

export function ShowQueue() {
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

export function DismissTray() {
  return (
    <IconButton label="Dismiss" className="-mr-2" onClick={dismiss}>
      <X />
    </IconButton>
  );
}

/** The tray goes, and with it the control that was pressed: the page's heading is where one is. */
function dismiss(): void {
  focusAfter(() => uploads.dispatch({ type: 'dismiss' }));
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}
