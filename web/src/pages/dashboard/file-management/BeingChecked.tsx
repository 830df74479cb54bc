import { useId } from 'react';
import { Tip } from '../../../ui/Tip.tsx';
import { useTip } from '../../../ui/use-tip.ts';

const hint = 'Its link works once it has been checked for malware.';

/** On a file whose bytes wait for the scanner. The hint shows by pointer and tap, and is always there to be read aloud. */
export function BeingChecked() {
  const id = useId();
  const { anchor, close, handlers } = useTip();
  return (
    <span
      className="shrink-0 rounded-s bg-buoy-wash px-1.5 text-s font-medium whitespace-nowrap text-buoy-ink"
      {...handlers}
    >
      Being checked
      <span className="sr-only">. {hint}</span>
      {anchor && (
        <Tip id={id} anchor={anchor} onClose={close}>
          {hint}
        </Tip>
      )}
    </span>
  );
}
