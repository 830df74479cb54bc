import { type ReactNode, useId } from 'react';
import { Switch, type SwitchProps } from './Switch.tsx';

export interface SwitchRowProps extends Omit<SwitchProps, 'describedBy' | 'wide'> {
  readonly hint: ReactNode;
}

/** A setting that is on or off: its name and the switch on one line, what it does below. */
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
