import { clsx } from 'clsx';

export interface SwitchProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly label: string;
  readonly disabled?: boolean | undefined;
  /** The id of what says more about it. */
  readonly describedBy?: string;
  /** The name on the left edge and the switch on the right one. A finger may press above and below the line too. */
  readonly wide?: boolean;
}

export function Switch({ checked, onChange, label, disabled, describedBy, wide = false }: SwitchProps) {
  return (
    <label className={clsx(row, wide && '-my-2 justify-between font-medium phone:-my-3')}>
      {label}
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        aria-describedby={describedBy}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
        className={track}
      />
    </label>
  );
}

const row =
  'inline-flex min-h-control cursor-pointer items-center gap-2.5 text-m has-disabled:cursor-not-allowed has-disabled:opacity-60';

const track =
  'relative h-[18px] w-8 shrink-0 cursor-[inherit] appearance-none rounded-full bg-edge transition-colors duration-150 checked:bg-sea ' +
  "before:absolute before:top-0.5 before:left-0.5 before:size-3.5 before:rounded-full before:bg-surface before:transition-transform before:duration-150 before:content-[''] " +
  'checked:before:translate-x-3.5';
