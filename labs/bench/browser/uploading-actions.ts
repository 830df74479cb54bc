/** Actions while a queue is uploading. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Hand } from './hand.ts';
import type { Action } from './measure-inputs.ts';
import { filesInQueue, isFull, type Queue } from './open-queue.ts';
import { spotsOf } from './spots.ts';

export const tab = (queue: Queue, hand: Hand, turns: number): Action => ({
  what: `${filesInQueue} files: tabbing while they upload`,
  moved: 'Tab every 100 ms',
  async run() {
    await beginUpload(queue);
    await hand.repeat(turns, 100, () => hand.press('Tab'));
  },
  check: () => stillMoving(queue),
});

export const scroll = (queue: Queue, hand: Hand, turns: number): Action => ({
  what: `${filesInQueue} files: scrolling while they upload`,
  moved: 'the wheel turned every 50 ms, down and up again',
  run: () => hand.repeat(turns, 50, (turn) => hand.wheel({ x: 700, y: 500 }, turn < turns / 2 ? 400 : -400)),
  check: () => stillMoving(queue),
});

export const remove = (queue: Queue, hand: Hand, turns: number): Action => {
  let removed = 0;
  return {
    what: `${filesInQueue} files: removing one by one while they upload`,
    moved: "a press on a waiting file's button every 150 ms",
    async run() {
      // Away from the completed files, whose rows change their height.
      await queue.page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight * 0.9, behavior: 'instant' }));
      await delay(300);
      const spots = await spotsOf(queue.removers);
      const before = await queue.place();
      const spot = spots[Math.floor(spots.length / 2)];
      // The next file moves up into the place of the one before.
      await hand.repeat(turns, 150, () => spot && hand.click(spot));
      await hand.rest();
      removed = before.total - (await queue.place()).total;
    },
    async check() {
      if (removed < turns * 0.8) throw new Error(`${turns} presses removed ${removed} files`);
      return `${turns} presses removed ${removed} files; ${await stillMoving(queue)}`;
    },
  };
};

/** Uses no real input, so that it is not counted as one. */
export async function beginUpload(queue: Queue): Promise<void> {
  await queue.add();
  await isFull(queue);
  await queue.start.dispatchEvent('click');
  await delay(500);
}

async function stillMoving(queue: Queue): Promise<string> {
  const { position, total } = await queue.place();
  if (!(position < total)) throw new Error('the uploads were over before the inputs were');
  return `at ${position} of ${total} afterwards`;
}
