import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { IconButton } from './IconButton.tsx';

export interface SheetProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  /** Content beside the close button. */
  readonly head?: ReactNode;
  readonly side?: 'left' | 'right';
  readonly children: ReactNode;
}

/**
 * A panel of links that slides in over the page. It uses the native dialog element, which traps the focus and closes on
 * Escape.
 */
export function Sheet({ open, onOpenChange, title, head, side = 'right', children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  // The content fills the dialog, so the dialog itself is the target only of a press on the backdrop.
  const closeOnLeave = ({ target, currentTarget }: MouseEvent) => {
    if (target === currentTarget || (target instanceof Element && target.closest('a'))) onOpenChange(false);
  };
  return (
    // Keyboard users have Escape, and Enter on a link fires a click.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={() => onOpenChange(false)}
      onClick={closeOnLeave}
      className={clsx(panel, sides[side])}
    >
      {open && (
        <div className="flex min-h-full flex-col p-4">
          <div className="mb-4 flex items-center justify-between">
            {head}
            <IconButton label="Close" className="ml-auto size-11" onClick={() => onOpenChange(false)}>
              <X />
            </IconButton>
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}

const panel =
  'm-0 h-dvh max-h-none w-[min(320px,88vw)] max-w-none overflow-y-auto overscroll-contain border-line bg-paper text-ink ' +
  'backdrop:bg-[oklch(0.2_0.02_215_/_0.45)]';
const sides = {
  left: 'mr-auto border-r open:animate-slide-left',
  right: 'ml-auto border-l open:animate-slide-right',
};
