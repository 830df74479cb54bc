import { Slider as Radix } from 'radix-ui';
import { type ReactNode, useId, useRef, useState } from 'react';

export interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  /** How a value reads, for eyes and ears. */
  readonly format: (value: number) => string;
  readonly hint: ReactNode;
  /** Called when the pointer or the key is let go, with a value that is another than before. */
  readonly onRelease: (value: number) => void;
}

export function Slider({ label, value, min, max, format, hint, onRelease }: SliderProps) {
  const id = useId();
  const [shown, setShown] = useShown(value);
  const keyHeld = useRef(false);
  const release = (released: number) => {
    if (released !== value) onRelease(released);
  };
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-center justify-between gap-4">
        <span id={`${id}-label`} className="font-medium">
          {label}
        </span>
        <span className="tabular-nums">{format(shown)}</span>
      </div>
      <p id={`${id}-hint`} className="text-s text-muted">
        {hint}
      </p>
      <Radix.Root
        min={min}
        max={max}
        value={[shown]}
        onValueChange={([next]) => next !== undefined && setShown(next)}
        // A held key commits each step.
        onValueCommit={([next]) => next !== undefined && !keyHeld.current && release(next)}
        onKeyDownCapture={() => void (keyHeld.current = true)}
        onKeyUp={() => {
          keyHeld.current = false;
          release(shown);
        }}
        onBlur={() => {
          keyHeld.current = false;
          release(shown);
        }}
        className="relative -mb-2 flex h-control touch-none items-center select-none"
      >
        <Radix.Track className="relative h-1 grow cursor-pointer rounded-full bg-edge forced-colors:outline">
          <Radix.Range className="absolute h-full rounded-full bg-sea" />
        </Radix.Track>
        <Radix.Thumb
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-hint`}
          aria-valuetext={format(shown)}
          className="block size-5 cursor-grab rounded-full border-2 border-sea bg-surface active:cursor-grabbing"
        />
      </Radix.Root>
    </div>
  );
}

/** Where the thumb is: under the hand while it moves, and wherever the setting goes after that. */
function useShown(value: number) {
  const [shown, setShown] = useState(value);
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    setShown(value);
  }
  return [shown, setShown] as const;
}
