import type { InputLog } from './watch-inputs.ts';

/** One press, click or turn of the wheel, with all of its events. */
export interface FeltInput {
  readonly at: number;
  /** Longest wait of one of its events for the page's code. */
  readonly delay: number;
  /** Longest time from one of its events to the next paint; 0 if the browser measures less than 16 ms. */
  readonly duration: number;
}

const first = new Set(['pointerdown', 'keydown', 'wheel']);

/** Groups the events of each input: everything from its first event up to the next input. */
export function feltInputs({ heard, painted }: Pick<InputLog, 'heard' | 'painted'>): readonly FeltInput[] {
  const inputs: { at: number; delay: number; duration: number }[] = [];
  for (const { type, at, delay } of heard) {
    const last = inputs.at(-1);
    if (first.has(type) || !last) inputs.push({ at, delay, duration: 0 });
    else last.delay = Math.max(last.delay, delay);
  }
  for (const { at, delay, duration } of painted) {
    // The two timestamps of one event differ by the browser's rounding.
    const input = inputs.findLast((each) => each.at <= at + 1);
    if (!input) continue;
    input.delay = Math.max(input.delay, delay);
    input.duration = Math.max(input.duration, duration);
  }
  return inputs;
}
