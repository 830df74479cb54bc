import { clsx } from 'clsx';
import { type ReactNode, useId } from 'react';

export interface SwitchProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly label: string;
  readonly disabled?: boolean | undefined;
  readonly describedBy?: string;
  /**
   * Places the label at the left edge and the switch at the right one. The touch target extends above and below the
   * line.
   */
  readonly wide?: boolean;
}

export function Switch({ checked, onChange, label, disabled, describedBy, wide = false }: SwitchProps) {
  return (
    <label className={clsx(row, wide && '-my-2 justify-between font-medium phone:-my-3')}>
      {label}
      <input
        type="checkbox"
        // HTML forbids aria-checked on a checkbox, which already exposes the state.
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props
        role="switch"
        checked={checked}
        aria-describedby={describedBy}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
        className={track}
      />
    </label>
  );
}

export interface SwitchRowProps extends Omit<SwitchProps, 'describedBy' | 'wide'> {
  readonly hint: ReactNode;
}

/** A setting that is on or off: label and switch on one line, the description below. */
export function SwitchRow({ hint, ...rest }: SwitchRowProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <Switch {...rest} wide describedBy={id} />
      <p id={id} className="text-s text-muted">
        {hint}
      </p>
    </div>
  );
}

const row =
  'inline-flex min-h-control cursor-pointer items-center gap-2.5 text-m has-disabled:cursor-not-allowed has-disabled:opacity-60';

const track =
  'relative h-[18px] w-8 shrink-0 cursor-[inherit] appearance-none rounded-full bg-edge transition-colors duration-150 checked:bg-sea ' +
  "before:absolute before:top-0.5 before:left-0.5 before:size-3.5 before:rounded-full before:bg-surface before:transition-transform before:duration-150 before:content-[''] " +
  'checked:before:translate-x-3.5';
