import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { type MouseEvent, type ReactNode, type Ref, useId, useLayoutEffect, useRef } from 'react';
import { IconButton } from './IconButton.tsx';

interface DialogProps {
  readonly title: string;
  /** Read out with the title. */
  readonly text?: ReactNode;
  /** Focuses the title, so that reading starts there, and not at the first control. */
  readonly titleRef?: Ref<HTMLHeadingElement>;
  readonly wide?: boolean;
  /** Called when the user presses Escape. The dialog is open as long as it is mounted. */
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Dialog({ title, text, titleRef, wide = false, onClose, children }: DialogProps) {
  const id = useId();
  return (
    <Modal
      labelledBy={id}
      describedBy={text === undefined ? undefined : `${id}-text`}
      onClose={onClose}
      className={clsx(panel, widths[`${wide}`])}
    >
      <h2
        id={id}
        ref={titleRef}
        tabIndex={titleRef ? -1 : undefined}
        className="text-title-s font-semibold outline-none"
      >
        {title}
      </h2>
      {text !== undefined && (
        <p id={`${id}-text`} className="mt-2 text-muted">
          {text}
        </p>
      )}
      {children}
    </Modal>
  );
}

export function DialogButtons({ children }: { readonly children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap-reverse justify-end gap-2">{children}</div>;
}

interface SheetProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly head?: ReactNode;
  readonly side?: 'left' | 'right';
  readonly children: ReactNode;
}

export function Sheet({ open, onOpenChange, title, head, side = 'right', children }: SheetProps) {
  const close = () => onOpenChange(false);
  return (
    open && (
      <Modal label={title} onClose={close} onLeave={close} className={clsx(sheet, sides[side])}>
        <div className="flex min-h-full flex-col p-4">
          <div className="mb-4 flex items-center justify-between">
            {head}
            <IconButton label="Close" className="ml-auto size-11" onClick={close}>
              <X />
            </IconButton>
          </div>
          {children}
        </div>
      </Modal>
    )
  );
}

interface ModalProps {
  readonly label?: string;
  readonly labelledBy?: string;
  readonly describedBy?: string | undefined;
  readonly onClose: () => void;
  readonly onLeave?: () => void;
  readonly className: string;
  readonly children: ReactNode;
}

/**
 * The native element traps the focus, closes on Escape, and gives the focus back. Inside an element that a turned screen
 * hides it would be invisible and still block the page.
 */
function Modal({ label, labelledBy, describedBy, onClose, onLeave, className, children }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  // The content fills the dialog, so the dialog itself is the target only of a press on the backdrop.
  const leave = ({ target, currentTarget }: MouseEvent) => {
    if (target === currentTarget || (target instanceof Element && target.closest('a'))) onLeave?.();
  };
  return (
    // Keyboard users have Escape, and Enter on a link fires a click.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={ref}
      aria-label={label}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      onClose={({ currentTarget }) => currentTarget.open || onClose()}
      onClick={leave}
      className={clsx('text-ink backdrop:bg-[oklch(0.2_0.02_215_/_0.45)]', className)}
    >
      {children}
    </dialog>
  );
}

const panel =
  'm-auto max-h-[calc(100dvh-32px)] overflow-y-auto overscroll-contain rounded-m border border-edge bg-surface p-5 text-m max-[860px]:[--control:44px]';
const widths = { true: 'w-[min(520px,calc(100vw-32px))]', false: 'w-[min(440px,calc(100vw-32px))]' } as const;
const sheet =
  'm-0 h-dvh max-h-none w-[min(320px,88vw)] max-w-none overflow-y-auto overscroll-contain border-line bg-paper';
const sides = {
  left: 'mr-auto border-r open:animate-slide-left',
  right: 'ml-auto border-l open:animate-slide-right',
};
