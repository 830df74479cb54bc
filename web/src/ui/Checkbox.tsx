import { type ComponentProps, type MouseEvent, type ReactNode, useId } from 'react';

export interface CheckboxProps {
  readonly checked: boolean | 'indeterminate';
  readonly onChange: (checked: boolean) => void;
  readonly label: string;
  readonly disabled?: boolean | undefined;
  /** For range selection: the event contains the state of the shift key. */
  readonly onClick?: ((event: MouseEvent<HTMLInputElement>) => void) | undefined;
}

export function Checkbox({ checked, onChange, label, disabled, onClick }: CheckboxProps) {
  return (
    // The label is the touch target, because the box itself is too small for a finger.
    <label className="relative inline-grid size-6 cursor-pointer place-items-center phone:size-11">
      <span className="sr-only">{label}</span>
      <input
        type="checkbox"
        checked={checked === true}
        ref={(box) => {
          if (box) box.indeterminate = checked === 'indeterminate';
        }}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
        onClick={onClick}
        className={box}
      />
      <Tick partial={checked === 'indeterminate'} />
    </label>
  );
}

interface CheckboxFieldProps extends Omit<ComponentProps<'input'>, 'type'> {
  readonly label: string;
  readonly hint: ReactNode;
}

/** A choice in a form: the box and its label on one line, the description below. */
export function CheckboxField({ label, hint, ...input }: CheckboxFieldProps) {
  const id = useId();
  return (
    <div>
      <label className="flex min-h-control cursor-pointer items-center gap-2.5 font-medium has-disabled:cursor-not-allowed">
        <span className="relative inline-grid size-4 shrink-0 place-items-center">
          <input type="checkbox" aria-describedby={id} {...input} className={box} />
          <Tick partial={false} />
        </span>
        {label}
      </label>
      <p id={id} className="pl-[26px] text-s text-muted">
        {hint}
      </p>
    </div>
  );
}

function Tick({ partial }: { readonly partial: boolean }) {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden
      className="pointer-events-none invisible absolute size-4 text-on-sea peer-checked:visible peer-indeterminate:visible"
    >
      <path
        d={partial ? 'M4.5 8h7' : 'M4 8.5l2.7 2.7L12 5.5'}
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

const box =
  'peer size-4 cursor-pointer appearance-none rounded-s border-[1.5px] border-edge bg-surface checked:border-sea checked:bg-sea ' +
  'indeterminate:border-sea indeterminate:bg-sea disabled:cursor-not-allowed disabled:opacity-50';
