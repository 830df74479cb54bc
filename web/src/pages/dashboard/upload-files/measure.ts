import type { QueueItem } from './queue.ts';

/** Spec section 9: how much a new reading weighs in the shown speed. */
const smoothing = 0.2;
/** At most 4 updates a second. */
const updateEveryMs = 250;

/** The item with renewed progress and speed, or the same item when it is too early to tell. */
export function measure(item: QueueItem, fraction: number, at: number): QueueItem {
  const elapsed = at - item.measuredAt;
  const done = fraction >= 1;
  if (item.progress >= 1 || (elapsed < updateEveryMs && !done)) return item;
  const progress = Math.min(1, fraction);
  const reading = ((progress - item.progress) * item.file.size) / (elapsed / 1000);
  return { ...item, progress, measuredAt: at, speed: elapsed > 0 ? smooth(item.speed, reading) : item.speed };
}

const smooth = (speed: number | undefined, reading: number): number =>
  speed === undefined ? reading : speed + smoothing * (reading - speed);
