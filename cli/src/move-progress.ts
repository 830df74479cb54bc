import type { MoveProgress } from '@holdfast/server/src/operator/move/move.ts';
import { count, size } from './format.ts';
import type { Progress } from './progress.ts';

export interface ShownMove {
  say(sentence: string): void;
  show(done: MoveProgress): void;
}

const lineEvery = 10_000;

/** Shows how far a move is: on a terminal in one changing line, in a log with a line every ten seconds. */
export function openMoveProgress(line: Progress, to: NodeJS.WriteStream = process.stderr): ShownMove {
  let beganAt = performance.now();
  let saidAt = beganAt;
  let before: MoveProgress | null = null;
  return {
    say(sentence) {
      line.end();
      to.write(`${sentence}\n`);
    },
    show(done) {
      const now = performance.now();
      // The bytes are gone through more than once.
      if (done.of !== before?.of || stepOf(done) < stepOf(before)) beganAt = now;
      before = { ...done };
      if (to.isTTY) return line.show(textOf(done, now - beganAt));
      if (now - saidAt < lineEvery) return;
      saidAt = now;
      to.write(`${textOf(done, now - beganAt)}\n`);
    },
  };
}

const stepOf = (done: MoveProgress): number => (done.of === 'bytes' ? done.blobs : done.rows);

/** A blob costs as much time as this many bytes, beside its own. */
const costOfBlob = 64 * 1024;

function textOf(done: MoveProgress, tookMs: number): string {
  if (done.of !== 'bytes') return `${count(done.rows, 'row')} ${done.of === 'rows' ? 'copied' : 'compared'}`;
  const { blobs, bytes, copiedBytes, total } = done;
  const cost = (of: { readonly blobs: number; readonly bytes: number }) => of.bytes + of.blobs * costOfBlob;
  const left = ((cost(total) - cost(done)) / Math.max(1, cost(done))) * tookMs;
  const rate = size(Math.round(copiedBytes / Math.max(1, tookMs / 1000)));
  return [
    `${blobs.toLocaleString('en')} of ${count(total.blobs, 'blob')}`,
    `${size(bytes)} of ${size(total.bytes)}`,
    `${rate}/s`,
    ...(tookMs > 2_000 && left > 0 ? [`${inWords(left)} left`] : []),
  ].join(', ');
}

function inWords(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 90 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
