import { Slider as Radix } from 'radix-ui';
import { type PointerEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';

export interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly format: (value: number) => string;
  readonly hint: ReactNode;
  /** Called with a changed value when the pointer is released, or shortly after the last key press. */
  readonly onRelease: (value: number) => void;
}

export function Slider({ label, value, min, max, format, hint, onRelease }: SliderProps) {
  const id = useId();
  const [shown, setShown] = useShown(value);
  /** The value during a drag, before the release. */
  const moved = useRef<number>(undefined);
  const release = () => {
    const released = moved.current;
    moved.current = undefined;
    if (released !== undefined && released !== value) onRelease(released);
  };
  const cancel = () => {
    moved.current = undefined;
    setShown(value);
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
        onValueChange={([next]) => {
          moved.current = next;
          if (next !== undefined) setShown(next);
        }}
        {...useSwipe(release, cancel)}
        {...useKeys(release)}
        className="relative -mb-2 flex h-control touch-pan-y items-center select-none"
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
      <p aria-hidden className="flex justify-between text-s text-muted">
        <span>{format(min)}</span>
        <span>{format(max)}</span>
      </p>
    </div>
  );
}

/** The displayed value: it follows the pointer during a drag, and the setting afterwards. */
function useShown(value: number) {
  const [shown, setShown] = useState(value);
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    setShown(value);
  }
  return [shown, setShown] as const;
}

/**
 * A finger must move this far sideways, and farther than vertically, before it moves the thumb instead of scrolling the
 * page.
 */
const sidewaysPx = 8;

/** A mouse can press anywhere on the track. A finger that rests or moves vertically changes nothing. */
function useSwipe(onRelease: () => void, onCancel: () => void) {
  const start = useRef<{ readonly x: number; readonly y: number }>(undefined);
  return {
    // If these handlers prevent the default, Radix does not move the thumb.
    onPointerDown(event: PointerEvent) {
      if (event.pointerType === 'mouse') return;
      start.current = { x: event.clientX, y: event.clientY };
      event.preventDefault();
    },
    onPointerMove(event: PointerEvent) {
      if (!start.current) return;
      const [across, down] = [event.clientX - start.current.x, event.clientY - start.current.y].map(Math.abs);
      if (across !== undefined && down !== undefined && across >= sidewaysPx && across > down)
        start.current = undefined;
      else event.preventDefault();
    },
    onPointerUp() {
      start.current = undefined;
      onRelease();
    },
    // The browser has taken over the gesture for scrolling.
    onPointerCancel() {
      start.current = undefined;
      onCancel();
    },
  };
}

/** Keys move the thumb one step at a time. This pause after the last key means that the value is final. */
const pauseMs = 700;

function useKeys(onRelease: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const releaseNow = () => {
    clearTimeout(timer.current);
    onRelease();
  };
  const releaseOnLeaving = useEffectEvent(releaseNow);
  useEffect(() => () => releaseOnLeaving(), []);
  return {
    onKeyDownCapture: () => clearTimeout(timer.current),
    onKeyUp: () => {
      clearTimeout(timer.current);
      timer.current = setTimeout(onRelease, pauseMs);
    },
    onBlur: releaseNow,
  };
}
