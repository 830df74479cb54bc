import { Popover } from 'radix-ui';
import type { KeyboardEvent, RefObject } from 'react';
import { pageContent } from './page-content.ts';

export interface CopyByHandProps {
  readonly text: string;
  readonly label: string;
  /** The pressed button, which gets the focus back when this closes. */
  readonly beside: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

/** The whole text, selected for manual copying. */
export function CopyByHand({ text, label, beside, onClose }: CopyByHandProps) {
  const giveFocusBack = (event: Event) => {
    event.preventDefault();
    beside.current?.focus();
  };
  // The popover is at the end of the page, so Tab would otherwise leave the page.
  const leaveByTab = ({ key }: KeyboardEvent) => {
    if (key !== 'Tab') return;
    beside.current?.focus();
    onClose();
  };
  return (
    <Popover.Root open onOpenChange={onClose}>
      <Popover.Anchor virtualRef={beside} />
      <Popover.Portal container={pageContent()}>
        <Popover.Content
          aria-label="Copy by hand"
          align="end"
          sideOffset={4}
          collisionPadding={16}
          onCloseAutoFocus={giveFocusBack}
          onKeyDown={leaveByTab}
          className={panel}
        >
          <p className="mb-2 text-s text-muted">This browser does not let the page copy. Copy it by hand:</p>
          <textarea
            readOnly
            value={text}
            aria-label={label}
            rows={Math.min(8, Math.ceil(text.length / charactersOfALine))}
            ref={takeFocus}
            className={field}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** Number of characters that fit on a narrow phone, for browsers that do not size the field themselves. */
const charactersOfALine = 32;

/** Defined outside the component, so that React calls it once, when the field is mounted. */
function takeFocus(area: HTMLTextAreaElement | null): void {
  area?.focus();
  area?.select();
}

const panel =
  'z-50 w-[min(24rem,calc(100vw-2rem))] animate-appear rounded-m border border-edge bg-surface p-3 outline-none';
const field =
  'field-sizing-content block max-h-[40vh] w-full resize-none rounded-m border border-edge bg-surface px-2.5 py-2 font-mono text-s break-all';
