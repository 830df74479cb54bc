import type { InputLog } from './watch-inputs.ts';

/** One press, click or turn of the wheel, with all of its events. */
export interface FeltInput {
  readonly at: number;
  /** The longest that one of its events waited for the page's code. */
  readonly delay: number;
  /** The longest from one of its events to the paint after it; 0 where the browser counts less than 16 ms. */
  readonly duration: number;
}

const first = new Set(['pointerdown', 'keydown', 'wheel']);

/** Puts the events of each input together: whatever follows its first event, up to the next input's. */
export function feltInputs({ heard, painted }: Pick<InputLog, 'heard' | 'painted'>): readonly FeltInput[] {
  const inputs: { at: number; delay: number; duration: number }[] = [];
  for (const { type, at, delay } of heard) {
    const last = inputs.at(-1);
    if (first.has(type) || !last) inputs.push({ at, delay, duration: 0 });
    else last.delay = Math.max(last.delay, delay);
  }
  for (const { at, delay, duration } of painted) {
    // The two clocks of one event differ by what the browser rounds off.
    const input = inputs.findLast((each) => each.at <= at + 1);
    if (!input) continue;
    input.delay = Math.max(input.delay, delay);
    input.duration = Math.max(input.duration, duration);
  }
  return inputs;
}
