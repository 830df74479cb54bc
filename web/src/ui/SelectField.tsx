import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Field, inputLook } from './Field.tsx';

export interface SelectFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly options: readonly string[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function SelectField({ label, hint, options, value, onChange }: SelectFieldProps) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint}>
      <div className="relative">
        <select
          id={id}
          aria-describedby={`${id}-note`}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          className={`${inputLook} cursor-pointer appearance-none truncate pr-10 text-m`}
        >
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
        <ChevronDown aria-hidden className="pointer-events-none absolute top-3.5 right-3 size-4 text-muted" />
      </div>
    </Field>
  );
}
