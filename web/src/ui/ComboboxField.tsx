import { ChevronDown } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type KeyboardEvent, useId, useState } from 'react';
import { Field, inputLook } from './Field.tsx';
import { pageContent } from './page-content.ts';
import type { SelectFieldProps } from './SelectField.tsx';
import { SearchableList } from './SearchableList.tsx';

/** One of hundreds: a list that is searched by typing. */
export function ComboboxField({ label, hint, options, value, onChange }: SelectFieldProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const pick = (option: string) => {
    setOpen(false);
    if (option !== value) onChange(option);
  };
  // By itself Tab would go round inside of the list.
  const leaveByTab = (event: KeyboardEvent) => {
    if (event.key !== 'Tab') return;
    event.preventDefault();
    setOpen(false);
  };
  return (
    <Field id={id} label={label} hint={hint}>
      <Popover.Root open={open} onOpenChange={setOpen}>
        <Popover.Trigger
          id={id}
          aria-label={`${label}: ${value}`}
          aria-describedby={`${id}-note`}
          className={`${inputLook} flex items-center justify-between gap-2 text-left text-m`}
        >
          <span className="truncate">{value}</span>
          <ChevronDown aria-hidden className="size-4 shrink-0 text-muted" />
        </Popover.Trigger>
        <Popover.Portal container={pageContent()}>
          <Popover.Content
            align="start"
            sideOffset={4}
            collisionPadding={16}
            aria-label={label}
            onKeyDown={leaveByTab}
            className="z-50 w-(--radix-popover-trigger-width) animate-appear rounded-m border border-edge bg-surface p-1 text-m text-ink"
          >
            <SearchableList label={label} options={options} value={value} onPick={pick} />
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </Field>
  );
}
