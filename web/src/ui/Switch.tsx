export interface SwitchProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly label: string;
  readonly disabled?: boolean | undefined;
}

export function Switch({ checked, onChange, label, disabled }: SwitchProps) {
  return (
    <label className="inline-flex min-h-control cursor-pointer items-center gap-2.5 text-m has-disabled:cursor-not-allowed has-disabled:opacity-60">
      {label}
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
        className={track}
      />
    </label>
  );
}

const track =
  'relative h-[18px] w-8 shrink-0 cursor-[inherit] appearance-none rounded-full bg-edge transition-colors duration-150 checked:bg-sea ' +
  "before:absolute before:top-0.5 before:left-0.5 before:size-3.5 before:rounded-full before:bg-surface before:transition-transform before:duration-150 before:content-[''] " +
  'checked:before:translate-x-3.5';
