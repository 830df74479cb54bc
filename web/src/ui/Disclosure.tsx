import { clsx } from 'clsx';
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';

export interface DisclosureProps {
  readonly label?: string;
  readonly trigger: ReactNode;
  readonly triggerClassName?: string;
  /** For what opens beside the button after a choice. */
  readonly triggerRef?: RefObject<HTMLButtonElement | null>;
  /** Opens upwards, for a button at the end of the window. */
  readonly above?: boolean;
  readonly children: ReactNode;
}

/**
 * A button that opens a small panel of links and buttons. They are plain ones, without menu roles; Tab and the arrow keys
 * move through them.
 */
export function Disclosure({ label, trigger, triggerClassName, triggerRef, above = false, children }: DisclosureProps) {
  const [open, setOpen] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  const ownRef = useRef<HTMLButtonElement>(null);
  const button = triggerRef ?? ownRef;
  const list = useRef<HTMLDivElement>(null);
  useClickOutside(whole, open, () => setOpen(false));

  const onKey = (event: KeyboardEvent) => {
    if (event.key in steps && (open || event.key.startsWith('Arrow'))) moveBy(event);
    else closeOnEscape(event);
  };
  const moveBy = (event: KeyboardEvent) => {
    event.preventDefault();
    // The list must exist before an item can take the focus.
    flushSync(() => setOpen(true));
    const items = [...(list.current?.querySelectorAll<HTMLElement>('a, button') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    items.at(steps[event.key]?.(at, items.length) ?? 0)?.focus();
  };
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    // Escape closes only this panel and must not trigger a shortcut of the page behind it.
    event.preventDefault();
    setOpen(false);
    button.current?.focus();
  };
  const closeOnChoice = () => {
    setOpen(false);
    // The chosen item disappears.
    button.current?.focus();
  };
  const closeOnLeave = (event: FocusEvent) => {
    if (event.relatedTarget instanceof Node && !whole.current?.contains(event.relatedTarget)) setOpen(false);
  };
  return (
    // Not a control: it handles events that bubble up from its own button and links.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={whole} className="relative" onKeyDown={onKey} onBlur={closeOnLeave}>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-expanded={open}
        className={triggerClassName}
        onClick={() => setOpen(!open)}
      >
        {trigger}
      </button>
      {open && (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
        <div
          ref={list}
          className={clsx(panel, above ? 'bottom-full mb-1 max-sm:left-0' : 'top-full mt-1 max-sm:right-0')}
          onClick={closeOnChoice}
        >
          {children}
        </div>
      )}
    </div>
  );
}

/** From the position of the focused item, -1 on the button, to that of the next. */
const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at) => Math.max(at, 0) - 1,
  Home: () => 0,
  End: () => -1,
};

export const disclosureItem =
  'flex min-h-control w-full items-center gap-2.5 rounded-[6px] px-2.5 text-left text-m text-ink hover:bg-sunken [&_svg]:size-4 [&_svg]:text-muted';

function useClickOutside(whole: RefObject<HTMLElement | null>, active: boolean, close: () => void): void {
  useEffect(() => {
    if (!active) return;
    const onPress = (event: PointerEvent) => {
      if (event.target instanceof Node && !whole.current?.contains(event.target)) close();
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  });
}

const panel =
  'absolute z-50 w-max sm:right-0 min-w-48 max-w-80 animate-appear rounded-m border border-line bg-surface p-1';
